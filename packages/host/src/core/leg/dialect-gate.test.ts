import type { JsonRpcMessage } from '@casement/protocol';
import { parseJsonRpcMessage } from '@casement/protocol/wire';
import { describe, expect, test } from 'vitest';
import { settle } from '../stage.test-support.js';
import { createDialectGate } from './dialect-gate.js';

const notification = (method: string, params = {}) => ({ jsonrpc: '2.0', method, params });
const initialize = (id: number) => ({
  ...notification('ui/initialize', {
    appInfo: { name: 'a', version: '1' },
    appCapabilities: {},
    protocolVersion: '2026-01-26',
  }),
  id,
});

const createGate = () => {
  const taken: string[] = [];
  const unread: unknown[] = [];
  const gate = createDialectGate({
    onUnread: (data) => unread.push(data),
    onMissing: (error) => unread.push(error),
  });
  return {
    gate,
    taken,
    unread,
    receive: (data: object) =>
      gate.receive(data, parseJsonRpcMessage(data), ({ messages }) =>
        taken.push(...messages.map((message) => String(Object(message).method ?? 'answer'))),
      ),
  };
};

describe('a document that speaks today’s names', () => {
  test('is heard at once', () => {
    const { receive, taken, gate } = createGate();
    const messages = [
      initialize(1),
      notification('ui/notifications/initialized'),
      notification('ui/notifications/size-changed', { height: 1 }),
      { ...notification('ui/message', { role: 'user', content: [] }), id: 2 },
      { jsonrpc: '2.0', id: 3, result: {} },
    ];
    for (const message of messages) receive(message);
    expect(taken).toHaveLength(messages.length);
    expect(gate.dialects).toEqual([]);
  });
});

describe('an older name', () => {
  test('waits for its reading, and what comes behind it waits too, in order', async () => {
    const { receive, taken } = createGate();
    receive(notification('ui/size-change', { height: 1 }));
    receive(notification('notifications/message', { level: 'info', data: 1 }));
    expect(taken).toEqual([]);
    await settle();
    expect(taken).toEqual(['ui/notifications/size-changed', 'notifications/message']);
    receive(notification('ui/size-change', { height: 2 }));
    expect(taken).toHaveLength(3);
  });

  test('does not hold up what the proxy reports', () => {
    const { receive, taken } = createGate();
    receive(notification('ui/size-change', { height: 1 }));
    receive(notification('ui/notifications/sandbox-dropped', { count: 9, reason: 'flood' }));
    expect(taken).toEqual(['ui/notifications/sandbox-dropped']);
  });

  test('is read with the handshake that passed before it', async () => {
    const { receive, taken, gate } = createGate();
    receive(initialize(1));
    const answer = { jsonrpc: '2.0', id: 1, result: { hostContext: {}, hostCapabilities: {} } };
    gate.send(answer as JsonRpcMessage); // the rest of an answer does not matter here
    // A FrontMCP app never says initialized: its first request does, once it was answered.
    receive({ ...notification('ui/setSize', { height: 1 }), id: 2 });
    await settle();
    expect(taken).toEqual(['ui/initialize', 'ui/notifications/initialized', 'ui/notifications/size-changed']);
  });

  test('is told, not lost, when the document goes first or too much waits', async () => {
    const { receive, taken, unread, gate } = createGate();
    for (let count = 0; count < 1002; count += 1) receive(notification('ui/size-change', { height: count }));
    expect(unread).toHaveLength(2);
    gate.close();
    expect(unread).toHaveLength(1002);
    await settle();
    expect(taken).toEqual([]);
  });
});

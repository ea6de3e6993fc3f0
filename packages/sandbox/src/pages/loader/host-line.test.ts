import { expect, test } from 'vitest';
import { createScriptedHost, outcomeOf } from './host-line.test-support.js';

test('teardown and pings of the host are answered, other requests by name refused', () => {
  const told: unknown[] = [];
  const { post, messages } = createScriptedHost({ onTeardown: (params) => told.push(params) });
  expect(post({ jsonrpc: '2.0', id: 'there', method: 'ping' })).toBe(true);
  expect(post({ jsonrpc: '2.0', id: 'list', method: 'tools/list', params: {} })).toBe(true);
  expect(post({ jsonrpc: '2.0', id: 'bye', method: 'ui/resource-teardown', params: { reason: 'x' } })).toBe(
    true,
  );
  expect(messages).toEqual([
    { jsonrpc: '2.0', id: 'there', result: {} },
    { jsonrpc: '2.0', id: 'list', error: { code: -32601, message: 'Method not found' } },
    { jsonrpc: '2.0', id: 'bye', result: {} },
  ]);
  expect(told).toEqual([{ reason: 'x' }]);
});

test('what the app asked itself is answered by it: from the answer to its own handshake on', () => {
  const { post, messages, line } = createScriptedHost();
  expect(post({ jsonrpc: '2.0', id: 'own', result: { protocolVersion: '2026-01-26' } })).toBe(false);
  expect(line.isShared).toBe(true);
  expect(post({ jsonrpc: '2.0', id: 'bye', method: 'ui/resource-teardown' })).toBe(false);
  expect(messages).toEqual([]);
});

test('nobody but the proxy is heard', async () => {
  const heard: string[] = [];
  const { post, line, sent } = createScriptedHost({ onNotification: (method) => heard.push(method) });
  const answer = outcomeOf(line.request('tools/call', {}));
  const forged = { jsonrpc: '2.0', id: sent('tools/call')[0]?.id, result: { forged: true } };
  const news = { jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: {} };
  for (const from of [{ source: {} }, { source: null }, { origin: 'https://elsewhere.example' }]) {
    expect(post(forged, from)).toBe(false);
    expect(post(news, from)).toBe(false);
  }
  for (const odd of ['text', null, [], { id: forged.id, result: {} }, { jsonrpc: '1.0', method: 'x' }])
    expect(post(odd)).toBe(false);
  expect(heard).toEqual([]);
  post({ ...forged, result: { real: true } });
  expect(await answer).toEqual({ value: { real: true } });
});

test('the handshake ends when the host has answered a ping, or refused it as an old host does', async () => {
  for (const isOld of [false, true]) {
    const { line, answer, refuse, sent } = createScriptedHost();
    const greeting = outcomeOf(line.greet('mcp-ui', 'MCP-UI app'));
    const asked = await answer('ui/initialize', { hostContext: { theme: 'dark' }, hostCapabilities: 7 });
    expect(asked).toEqual({
      appInfo: { name: 'mcp-ui', title: 'MCP-UI app', version: '1.0.0' },
      appCapabilities: { availableDisplayModes: ['inline', 'fullscreen', 'pip'] },
      protocolVersion: '2026-01-26',
    });
    expect(sent('ui/notifications/initialized')).toHaveLength(1);
    if (isOld) await refuse('ping', 'Method not found');
    else await answer('ping');
    expect(await greeting).toEqual({ value: { capabilities: {}, context: { theme: 'dark' } } });
  }
});

test('a handshake the host refuses is refused with its words', async () => {
  const { line, refuse, sent } = createScriptedHost();
  const greeting = outcomeOf(line.greet('mcp-ui', 'MCP-UI app'));
  await refuse('ui/initialize', 'This app is not being started.');
  expect(await greeting).toEqual({ error: 'This app is not being started.' });
  expect(sent('ui/notifications/initialized')).toEqual([]);
});

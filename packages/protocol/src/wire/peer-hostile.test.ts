import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { methodTable } from '../messages/methods.js';
import { validate } from '../messages/parse-values.js';
import type { Schema } from '../messages/schema.js';
import type { RequestHandlers } from '../index.js';
import { createHostAndGuest, settle } from './peer.test-support.js';

/** The fields a schema looks for, up to the first that it misses. */
const findFields = (schema: Schema): ReadonlySet<string> => {
  const fields = new Set<string>();
  const has = (_: object, key: string | symbol): boolean => {
    fields.add(String(key));
    return false;
  };
  validate(schema, new Proxy({}, { has }));
  return fields;
};

const neverAnswers: RequestHandlers = { 'tools/call': () => new Promise(() => undefined) };
const call = { method: 'tools/call', params: { name: 'x' } };

verifies(
  ['HOST-034', 'HOST-035', 'S3-37'],
  'every message an app may send is checked, and malformed ones are rejected',
  async () => {
    const reached: string[] = [];
    const appRows = methodTable.filter((row) => row.from !== 'host');
    const requestHandlers = Object.fromEntries(
      appRows
        .filter((row) => row.kind === 'request')
        .map((row) => [row.method, () => reached.push(row.method)]),
    );
    const { rpc, received, invalid, notifications } = createHostAndGuest({ requestHandlers });
    // Values no field of any message accepts, under every field the table names.
    const wrong = (fields: Iterable<string>) =>
      Object.fromEntries([...fields].map((field) => [field, [Symbol.name, 1.5]]));
    // A field that is any value, as a widget's state, cannot be wrong.
    const strict = appRows
      .filter((row) => row.method !== 'casement/widget-state')
      .map((row) => ({ ...row, fields: findFields(row.params) }))
      .filter(({ fields }) => fields.size > 0);
    for (const [id, row] of strict.entries()) {
      const members = { method: row.method, params: wrong(row.fields) };
      rpc(row.kind === 'request' ? { id, ...members } : members);
    }
    for (const [id, row] of appRows.entries()) {
      rpc({ ...(row.kind === 'request' && { id: id + 100 }), method: row.method, params: 'text' });
    }
    await settle();
    expect(strict.length).toBeGreaterThan(15);
    expect(reached).toEqual([]);
    expect(notifications).toEqual([]);
    expect(invalid).toHaveLength(strict.length + appRows.length);
    const requests = [...strict, ...appRows].filter((row) => row.kind === 'request');
    expect(received).toHaveLength(requests.length);
    for (const message of received) {
      expect([-32602, -32600]).toContain('error' in message && message.error.code);
    }
  },
);

verifies(
  ['S3-26', 'S1-53'],
  'B15 methods outside the table, of the host itself, or without a handler are not found',
  async () => {
    const { rpc, received, invalid } = createHostAndGuest();
    const methods = [
      'initialize',
      'elicitation/create',
      'roots/list',
      'shell/exec',
      'ui/resource-teardown',
      'tools/call',
    ];
    const names = [
      ...methods,
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      'ui/notifications/initialized',
    ];
    for (const [id, method] of names.entries()) rpc({ id, method, params: {} });
    await settle();
    expect(received.map((message) => 'error' in message && message.error.code)).toEqual(
      names.map(() => -32601),
    );
    expect(invalid.every((info) => info.code === 'method-not-found')).toBe(true);
  },
);

test('notifications nobody knows, and requests sent as notifications, are reported and not answered', async () => {
  const { rpc, received, invalid, notifications } = createHostAndGuest();
  rpc({ method: 'ui/notifications/nonsense' });
  rpc({ method: 'ui/notifications/tool-result', params: { content: [] } });
  rpc({ method: 'ping' });
  await settle();
  expect(received).toEqual([]);
  expect(notifications).toEqual([]);
  expect(invalid.map((info) => info.code)).toEqual([
    'method-not-found',
    'method-not-found',
    'method-not-found',
  ]);
});

describe('B16 forged answers', () => {
  verifies('S1-49', 'are ignored unless that very request is waiting, and count once', async () => {
    const { peer, rpc, unmatched } = createHostAndGuest();
    rpc({ id: 1, result: { forged: true } });
    await settle();
    const answer = peer.request('ping', {});
    for (const id of [0, 2, '1', 'constructor', '__proto__', -1]) rpc({ id, result: {} });
    rpc({ id: null, error: { code: 1, message: 'x' } });
    await settle();
    expect(peer.pending).toBe(1);
    expect(unmatched).toHaveLength(8);
    rpc({ id: 1, result: { first: true } });
    rpc({ id: 1, result: { second: true } });
    await expect(answer).resolves.toEqual({ first: true });
    await settle();
    expect(unmatched).toHaveLength(9);
  });
});

describe('B17 ids', () => {
  test('one that is in use is refused without disturbing its owner', async () => {
    const releases: (() => void)[] = [];
    const { rpc, received, invalid } = createHostAndGuest({
      requestHandlers: {
        'tools/call': () => new Promise((resolve) => releases.push(() => resolve({ content: [] }))),
      },
    });
    rpc({ id: 5, ...call });
    rpc({ id: 5, ...call });
    await settle();
    expect(releases).toHaveLength(1);
    expect(invalid).toHaveLength(1);
    expect(received).toMatchObject([{ id: null, error: { code: -32600 } }]);
    releases[0]?.();
    await settle();
    expect(received[1]).toMatchObject({ id: 5, result: { content: [] } });
    rpc({ id: 5, ...call });
    await settle();
    expect(releases).toHaveLength(2);
  });

  test('5 and "5" are two ids', async () => {
    const { rpc, invalid } = createHostAndGuest({ requestHandlers: neverAnswers });
    rpc({ id: 5, ...call });
    rpc({ id: '5', ...call });
    await settle();
    expect(invalid).toEqual([]);
  });

  test('unusable ones are reported, not answered and not executed', async () => {
    const { rpc, received, invalid } = createHostAndGuest({ requestHandlers: neverAnswers });
    for (const id of [null, {}, [], NaN, 1.5, true]) rpc({ id, ...call });
    await settle();
    expect(received).toEqual([]);
    expect(invalid.map((info) => info.code)).toEqual(Array.from({ length: 6 }, () => 'invalid-message'));
  });
});

verifies(
  'S3-25',
  'B18 malformed requests with a usable id get -32600, other noise gets nothing',
  async () => {
    const { rpc, send, received, invalid } = createHostAndGuest();
    rpc({ id: 1, method: 'ping', params: null });
    rpc({ id: 2, method: 'ping', params: [1] });
    rpc({ id: 3, method: 7 });
    send([{ jsonrpc: '2.0', id: 4, method: 'ping' }]);
    send({ jsonrpc: '1.0', id: 5, method: 'ping' });
    send('ping');
    send(null);
    send({ source: 'react-devtools' });
    await settle();
    expect(received.map((message) => 'error' in message && [message.id, message.error.code])).toEqual([
      [1, -32600],
      [2, -32600],
      [3, -32600],
    ]);
    expect(invalid).toHaveLength(8);
  },
);

test('B19 prototype names in params reach the handler as data and pollute nothing', async () => {
  const seen: unknown[] = [];
  const { rpc } = createHostAndGuest({
    requestHandlers: {
      'tools/call': (params) => {
        seen.push(params);
        return { content: [] };
      },
    },
  });
  const params: unknown = JSON.parse(
    '{"name":"x","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"arguments":{"__proto__":{"polluted":1}}}',
  );
  rpc({ id: 1, method: 'tools/call', params });
  await settle();
  expect(seen).toHaveLength(1);
  expect('polluted' in {}).toBe(false);
  expect('polluted' in Object(seen[0])).toBe(false);
});

test('B20 cyclic, deep and exotic values neither crash nor reach a handler as objects', async () => {
  const { rpc, received, invalid, notifications } = createHostAndGuest({ requestHandlers: neverAnswers });
  const cyclic: Record<string, unknown> = { level: 'info' };
  cyclic['data'] = cyclic;
  let deep: unknown = 1;
  for (let i = 0; i < 1_000; i++) deep = { deep };
  rpc({ method: 'notifications/message', params: cyclic });
  rpc({ method: 'notifications/message', params: { level: 'info', data: deep } });
  rpc({ id: 1, method: 'tools/call', params: new Map([['name', 'x']]) });
  rpc({ id: 2, method: 'tools/call', params: { name: 'x', arguments: new Map() } });
  rpc({ id: 3, method: 'tools/call', params: { name: 'x', arguments: new ArrayBuffer(8) } });
  await settle();
  expect(notifications).toHaveLength(2);
  expect(invalid).toHaveLength(3);
  expect(received).toHaveLength(3);
});

test('B21 unanswered requests are bounded, and freed by their answers', async () => {
  let running = 0;
  const { rpc, received, invalid } = createHostAndGuest({
    maxInFlight: 8,
    requestHandlers: {
      'tools/call': () => {
        running++;
        return new Promise(() => undefined);
      },
    },
  });
  for (let id = 0; id < 10_000; id++) rpc({ id, ...call });
  // Cancelling does not make room as long as the work goes on.
  for (let id = 0; id < 8; id++) rpc({ method: 'notifications/cancelled', params: { requestId: id } });
  rpc({ id: 'again', ...call });
  await settle();
  expect(running).toBe(8);
  expect(invalid).toHaveLength(10_000 - 8 + 1);
  expect(received.every((message) => 'error' in message && message.error.code === -32000)).toBe(true);
});

test('a listener of ours that throws is reported and stops nothing', async () => {
  const { rpc, received, errors } = createHostAndGuest({
    onNotification: () => {
      throw new Error('listener');
    },
    onInvalid: () => {
      throw new Error('onInvalid');
    },
  });
  rpc({ method: 'ui/notifications/initialized' });
  rpc({ id: 1, method: 'nonsense' });
  rpc({ method: 'nonsense' });
  rpc({ id: 2, method: 'ping' });
  await settle();
  expect(errors).toHaveLength(3);
  expect(received).toContainEqual({ jsonrpc: '2.0', id: 2, result: {} });
});

import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { isNotification, isRequest, parseJsonRpcMessage } from '../wire.js';
import { isResponse } from './json-rpc.js';

const parse = (value: unknown) => parseJsonRpcMessage(value);
const rpc = (members: Record<string, unknown>) => parse({ jsonrpc: '2.0', ...members });

describe('well-formed messages', () => {
  verifies('S1-114', 'are rebuilt from known members only', () => {
    expect(rpc({ id: 1, method: 'ping', params: { a: 1 }, extra: true })).toEqual({
      ok: true,
      message: { jsonrpc: '2.0', id: 1, method: 'ping', params: { a: 1 } },
    });
    expect(rpc({ method: 'x' })).toEqual({ ok: true, message: { jsonrpc: '2.0', method: 'x' } });
    expect(rpc({ id: 'a', result: {} })).toEqual({
      ok: true,
      message: { jsonrpc: '2.0', id: 'a', result: {} },
    });
    expect(rpc({ id: null, error: { code: -1, message: 'no', data: [1], more: 1 } })).toEqual({
      ok: true,
      message: { jsonrpc: '2.0', id: null, error: { code: -1, message: 'no', data: [1] } },
    });
  });

  verifies('S1-114', 'are told apart by the guards', () => {
    const kinds = [{ id: 1, method: 'x' }, { method: 'x' }, { id: 1, result: {} }].map((members) => {
      const parsed = rpc(members);
      if (!parsed.ok) throw new Error(parsed.reason);
      return [isRequest(parsed.message), isNotification(parsed.message), isResponse(parsed.message)];
    });
    expect(kinds).toEqual([
      [true, false, false],
      [false, true, false],
      [false, false, true],
    ]);
  });

  test('may carry undefined members, as structured clone keeps them', () => {
    expect(rpc({ id: undefined, method: 'x', params: undefined })).toEqual({
      ok: true,
      message: { jsonrpc: '2.0', method: 'x' },
    });
  });
});

describe('B17 ids that are neither strings nor integers are rejected', () => {
  test.each([[null], [{}], [[1]], [NaN], [Infinity], [1.5], [true], ['x'.repeat(513)], [2 ** 60]])(
    '%s',
    (id) => {
      const parsed = rpc({ id, method: 'ping' });
      expect(parsed.ok).toBe(false);
      expect(parsed).not.toHaveProperty('id');
    },
  );

  test('a string such as __proto__ is an ordinary id', () => {
    expect(rpc({ id: '__proto__', method: 'ping' })).toMatchObject({
      ok: true,
      message: { id: '__proto__' },
    });
  });
});

describe('B18 malformed messages are named, never thrown', () => {
  test('a batch is called a batch', () => {
    expect(parse([])).toEqual({ ok: false, reason: 'batches are not supported' });
  });

  test.each([
    ['batch', [{ jsonrpc: '2.0', id: 1, method: 'ping' }]],
    ['nothing', undefined],
    ['null', null],
    ['string', '{"jsonrpc":"2.0"}'],
    ['wrong version', { jsonrpc: '1.0', id: 1, method: 'ping' }],
    ['number version', { jsonrpc: 2, id: 1, method: 'ping' }],
    ['no version', { id: 1, method: 'ping' }],
    ['inherited version', Object.create({ jsonrpc: '2.0', method: 'ping' })],
    ['empty', { jsonrpc: '2.0' }],
    ['Map', new Map([['jsonrpc', '2.0']])],
    ['Date', new Date()],
    ['result array', { jsonrpc: '2.0', id: 1, result: [] }],
    ['result null', { jsonrpc: '2.0', id: 1, result: null }],
    ['result without id', { jsonrpc: '2.0', result: {} }],
    ['both result and error', { jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: '' } }],
    ['error without code', { jsonrpc: '2.0', id: 1, error: { message: 'x' } }],
    ['error as string', { jsonrpc: '2.0', id: 1, error: 'x' }],
    ['error with object id', { jsonrpc: '2.0', id: {}, error: { code: 1, message: '' } }],
  ])('%s', (_name, value) => {
    const parsed = parse(value);
    expect(parsed.ok).toBe(false);
    expect(parsed).not.toHaveProperty('id');
  });

  test.each([
    ['params null', { params: null, method: 'x' }],
    ['params array', { params: [1], method: 'x' }],
    ['params string', { params: 'x', method: 'x' }],
    ['params Map', { params: new Map(), method: 'x' }],
    ['method number', { method: 5 }],
    ['method empty', { method: '' }],
    ['method 5 KB', { method: 'x'.repeat(5000) }],
    ['request with result', { method: 'x', result: {} }],
    ['neither method nor answer', {}],
  ])('%s can be answered, as its id is usable', (_name, members) => {
    expect(rpc({ id: 7, ...members })).toMatchObject({ ok: false, id: 7 });
  });

  test('a value whose members throw is only unreadable', () => {
    const trap = Object.defineProperty({}, 'jsonrpc', {
      enumerable: true,
      get: () => {
        throw new Error('trap');
      },
    });
    expect(parse(trap)).toEqual({ ok: false, reason: 'the message could not be read' });
  });
});

test('B19 own __proto__ and constructor members pollute nothing', () => {
  const value: unknown = JSON.parse(
    '{"jsonrpc":"2.0","method":"x","__proto__":{"id":1,"polluted":1},"constructor":{"prototype":{"polluted":1}},"params":{"__proto__":{"polluted":1}}}',
  );
  const parsed = parse(value);
  expect(parsed).toMatchObject({ ok: true });
  expect(parsed.ok && isNotification(parsed.message)).toBe(true);
  expect('polluted' in {}).toBe(false);
});

test('B20 cyclic and 20,000-deep values are handled like any other', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  let deep: Record<string, unknown> = {};
  for (let i = 0; i < 20_000; i++) deep = { deep };
  expect(rpc({ method: 'x', params: cyclic }).ok).toBe(true);
  expect(rpc({ method: 'x', params: deep }).ok).toBe(true);
});

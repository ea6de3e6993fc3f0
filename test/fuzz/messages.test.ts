import { LINEAR_GROWTH, measureGrowth } from '../count-operations.js';
import { expectLinearText, expectLinearValues, largeValues, valueOf } from './inputs.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dialectAliases } from '../../packages/protocol/src/dialects/older-names.js';
import { createDialectDoor } from '../../packages/protocol/src/dialects/door.js';
import { parseJsonRpcMessage } from '../../packages/protocol/src/wire/json-rpc.js';
import { methodTable } from '../../packages/protocol/src/messages/methods.js';
import { runs } from './runs.js';

const members = ['jsonrpc', 'id', 'method', 'params', 'result', 'error', 'code', 'message', 'data'];
const names = [
  ...new Set([...methodTable.map(({ method }) => method), ...dialectAliases.map(({ name }) => name)]),
];
const words = ['2.0', ...names];

/** Values that look like messages more often than chance would have it. */
const message = fc.oneof(
  valueOf(members, words),
  fc.record(
    {
      jsonrpc: fc.constantFrom<unknown>('2.0', '2.0', '2.0', '1.0', 2),
      id: fc.constantFrom<unknown>(0, 1, -1, 1.5, '', 'a', 'x'.repeat(600), null, {}, Number.NaN),
      method: fc.oneof(fc.constantFrom(...names), valueOf(members, words)),
      params: fc.oneof(
        valueOf(['name', 'arguments', 'content', 'url', 'message', 'tools'], words),
        fc.object(),
      ),
      result: valueOf(members, words),
      error: valueOf(['code', 'message', 'data'], words),
    },
    { requiredKeys: ['jsonrpc'] },
  ),
);

test('a JSON-RPC message is built of known members, and is read the same again', () => {
  fc.assert(
    fc.property(message, (value) => {
      const parsed = parseJsonRpcMessage(value);
      if (!parsed.ok) {
        expect(typeof parsed.reason).toBe('string');
        return;
      }
      expect(Object.keys(parsed.message).every((key) => members.includes(key))).toBe(true);
      expect(parsed.message.jsonrpc).toBe('2.0');
      expect(Object.getPrototypeOf(parsed.message)).toBe(Object.prototype);
      if ('method' in parsed.message) expect(typeof parsed.message.method).toBe('string');
      else expect('result' in parsed.message).not.toBe('error' in parsed.message);
      expect(parseJsonRpcMessage(parsed.message)).toEqual(parsed);
    }),
    runs(300),
  );
});

test('reading a JSON-RPC message costs no more for a larger one than its size', () => {
  expectLinearValues(parseJsonRpcMessage, (params) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'm',
    params: { params },
  }));
  expectLinearValues(parseJsonRpcMessage);
  expectLinearText(['2.0', 'ui/'], (method) => parseJsonRpcMessage({ jsonrpc: '2.0', method }));
});

test('the dialect door takes whatever comes, and hands on messages that can be read', () => {
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 6 }), (values) => {
      const door = createDialectDoor({ onAnnouncedTools: () => undefined });
      for (const value of values) {
        const received = door.receive(value);
        for (const reply of received.replies) expect(parseJsonRpcMessage(reply).ok).toBe(true);
        const handed = received.messages.filter((each) => !Object.is(each, value));
        for (const each of handed) expect(parseJsonRpcMessage(each).ok).toBe(true);
        if (received.normalised) expect(parseJsonRpcMessage(received.normalised).ok).toBe(true);
        for (const { message: text, fix } of received.findings)
          expect((text + fix).length).toBeLessThan(2000);
        // What was translated is in today's words: a second door changes nothing.
        for (const each of handed) expect(createDialectDoor().receive(each).messages).toEqual([each]);
      }
    }),
    runs(300),
  );
});

test('the dialect door does linear work under every name', () => {
  const shapes = Object.entries(largeValues);
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.constantFrom(...shapes), (method, [shape, toLarge]) => {
      const growth = measureGrowth({
        input: (size) =>
          Object.fromEntries(['tools', 'content', 'arguments', 'message'].map((key) => [key, toLarge(size)])),
        run: (params) => {
          const door = createDialectDoor({ onAnnouncedTools: () => undefined });
          return [
            door.receive({ jsonrpc: '2.0', id: 1, method, params }),
            door.receive({ jsonrpc: '2.0', method, params }),
          ];
        },
        size: 400,
      });
      expect(growth, `growth of ${method} with ${shape}`).toBeLessThan(LINEAR_GROWTH);
    }),
    runs(100),
  );
});

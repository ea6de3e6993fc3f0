import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  parseJSONRPCMessage,
} from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { findMessageKind, isMessageOf, readMessage, type MessageKind } from './plain-message.js';

const serverInfo = 'io.modelcontextprotocol/serverInfo';
const relatedTask = 'io.modelcontextprotocol/related-task';

// As texts: what comes from a server is what JSON gives, an own "__proto__" too.
const frames = [
  '"jsonrpc":"2.0"',
  '"jsonrpc":"1.0"',
  '"jsonrpc":"2.0","more":1',
  '"jsonrpc":"2.0","__proto__":{}',
];
const ids = ['', '"id":1', '"id":"a"', '"id":1.5', '"id":9007199254740992', '"id":null'];
const metas = [
  '{}',
  '{"x":1}',
  '{"x":1,"progressToken":1}',
  '{"progressToken":"a"}',
  '{"progressToken":1.5}',
  '{"progressToken":null}',
  `{"${relatedTask}":{"taskId":"a"}}`,
  `{"${relatedTask}":{}}`,
  `{"${serverInfo}":{"name":"a","version":"1"}}`,
  `{"x":1,"${serverInfo}":"wrong"}`,
  '{"__proto__":{"x":1}}',
  '[]',
  'null',
];
const objects = [
  '{}',
  '{"b":{"__proto__":1},"a":[1]}',
  '{"__proto__":{"a":1}}',
  '[]',
  'null',
  '"text"',
  ...metas.map((meta) => `{"x":1,"_meta":${meta}}`),
];
const errors = [
  '{"message":"m","code":-32601}',
  '{"code":1,"message":"m","data":{"a":1}}',
  '{"code":1,"message":"m","data":null,"more":1}',
  '{"code":1.5,"message":"m"}',
  '{"code":1}',
  'null',
];
const bodies = [
  '',
  '"method":"m"',
  '"method":1',
  ...objects.map((params) => `"params":${params},"method":"m"`),
  ...objects.map((result) => `"result":${result}`),
  ...errors.map((error) => `"error":${error}`),
  '"method":"m","result":{}',
  '"result":{},"error":{"code":1,"message":"m"}',
  '"error":{"code":1,"message":"m"},"method":"m"',
];

const texts = frames.flatMap((frame) =>
  ids.flatMap((id) => bodies.map((body) => `{${[body, id, frame].filter((part) => part !== '').join(',')}}`)),
);
const values: unknown[] = [
  ...texts.map((text) => JSON.parse(text) as unknown),
  null,
  1,
  'text',
  [],
  undefined,
];

const attempt = (read: () => unknown): string => {
  try {
    return JSON.stringify(read());
  } catch {
    return 'refused';
  }
};

const questions: readonly (readonly [MessageKind, (value: unknown) => boolean])[] = [
  ['request', isJSONRPCRequest],
  ['notification', isJSONRPCNotification],
  ['result', isJSONRPCResultResponse],
  ['error', isJSONRPCErrorResponse],
];

describe('a message of the usual form', () => {
  test('is of the kind that the schemas of the official client would find', () => {
    for (const [kind, ask] of questions)
      for (const value of values)
        expect(
          isMessageOf(kind, value, () => ask(value)),
          `${kind} ${JSON.stringify(value)}`,
        ).toBe(ask(value));
  });

  test('is read as they would read it, key by key, and as a copy', () => {
    for (const value of values) {
      const read = (): unknown => readMessage<unknown>(value, () => parseJSONRPCMessage(value));
      expect(attempt(read), JSON.stringify(value)).toBe(attempt(() => parseJSONRPCMessage(value)));
    }
    const message = { jsonrpc: '2.0', id: 1, result: { _meta: {} } };
    const copy = readMessage(message, () => message);
    copy.result._meta = { changed: true };
    expect(message).toEqual({ jsonrpc: '2.0', id: 1, result: { _meta: {} } });
  });

  test('needs no schema, and what is of another form is left to them', () => {
    const found = values.map(findMessageKind);
    for (const [kind] of questions)
      expect(found.filter((one) => one === kind).length, kind).toBeGreaterThan(5);
    expect(
      [
        { jsonrpc: '2.0', id: 1, method: 'm', params: { _meta: { [relatedTask]: { taskId: 'a' } } } },
        { jsonrpc: '2.0', id: null, error: { code: 1, message: 'm' } },
        { jsonrpc: '2.0', id: 1, result: { _meta: { [serverInfo]: {} } } },
        Object.assign(new Date(0), { jsonrpc: '2.0', method: 'm' }),
      ].map(findMessageKind),
    ).toEqual([undefined, undefined, undefined, undefined]);
  });
});

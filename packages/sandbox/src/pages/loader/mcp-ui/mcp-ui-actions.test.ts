import { expect, test } from 'vitest';
import { toRenderData, translateAction } from './mcp-ui-actions.js';

test.each([
  ['tool', { toolName: 'add', params: { a: 1 } }, 'tools/call', { name: 'add', arguments: { a: 1 } }],
  ['tool', { toolName: 'bare' }, 'tools/call', { name: 'bare', arguments: {} }],
  ['prompt', { prompt: 'Hi' }, 'ui/message', { role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
  [
    'intent',
    { intent: 'book', params: { seat: 3 } },
    'ui/message',
    { role: 'user', content: [{ type: 'text', text: 'Intent: book\nParameters: {"seat":3}' }] },
  ],
  [
    'intent',
    { intent: 'go' },
    'ui/message',
    { role: 'user', content: [{ type: 'text', text: 'Intent: go' }] },
  ],
  ['link', { url: 'javascript:x' }, 'ui/open-link', { url: 'javascript:x' }],
])('%s %j is %s', (type, payload, method, params) => {
  expect(translateAction({ type, payload })).toEqual({ kind: 'request', method, params });
});

test.each([
  ['notify', { message: 'Done' }, 'notifications/message', { level: 'info', logger: 'mcp-ui', data: 'Done' }],
  ['ui-size-change', { width: 3, height: 4.5 }, 'ui/notifications/size-changed', { width: 3, height: 4.5 }],
  ['ui-size-change', { width: '3', height: 4 }, 'ui/notifications/size-changed', { height: 4 }],
])('%s %j is the notification %s', (type, payload, method, params) => {
  expect(translateAction({ type, payload })).toEqual({ kind: 'notification', method, params });
});

test('what is asked for wrongly, or has no counterpart, is refused by name', () => {
  for (const [type, payload, reason] of [
    ['tool', {}, 'payload.toolName'],
    ['tool', undefined, 'payload.toolName'],
    ['tool', ['x'], 'payload.toolName'],
    ['prompt', { prompt: 7 }, 'payload.prompt'],
    ['intent', null, 'payload.intent'],
    ['link', { url: { href: 'x' } }, 'payload.url'],
    ['ui-request-data', { requestType: 'payment' }, '"payment"'],
    ['ui-request-data', {}, 'null'],
    ['ui-size-change', { width: '3', height: NaN }, 'width'],
    ['ui-size-change', undefined, 'width'],
  ] as const) {
    expect(translateAction({ type, payload })).toEqual({
      kind: 'refused',
      reason: expect.stringContaining(reason),
    });
  }
});

test('anything else is none of this family', () => {
  for (const message of [
    null,
    'tool',
    7,
    [],
    {},
    { type: 7 },
    { type: 'constructor' },
    { type: '__proto__' },
    { jsonrpc: '2.0', method: 'ping' },
  ]) {
    expect(translateAction(message)).toBeUndefined();
  }
});

test('render data is what the host knows; the server’s own comes first and the tool’s last', () => {
  const context = {
    theme: 'dark',
    locale: 'de-CH',
    displayMode: 'inline',
    containerDimensions: { maxHeight: 600 },
    'casement/renderData': { rows: [1], toolInput: 'early' },
  };
  const rest = { theme: 'dark', locale: 'de-CH', displayMode: 'inline', maxHeight: 600, rows: [1] };
  expect(toRenderData(context, {})).toEqual({ ...rest, toolInput: 'early', toolOutput: null });
  expect(toRenderData(context, { toolInput: { a: 1 }, toolOutput: { b: 2 } })).toEqual({
    ...rest,
    toolInput: { a: 1 },
    toolOutput: { b: 2 },
  });
  expect(toRenderData({ 'casement/renderData': [] }, {})).toMatchObject({
    toolInput: null,
    toolOutput: null,
  });
});

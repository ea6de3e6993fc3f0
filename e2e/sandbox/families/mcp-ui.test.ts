import { describe, expect, test } from 'vitest';
import { page, useSandbox, world } from '../fixture.js';
import { mountApp, waitFor, type Mounted } from '../support.js';
import { eventually } from '../../support/eventually.js';
import { answer, familyVariants, notify, sent, shakeHands, toRewrite, toWidget } from './widget.js';

useSandbox();

const mount = (script: string, before?: string): Promise<Mounted> =>
  mountApp(page, world, toWidget(script, before), { family: 'mcp-ui' });

/** Client code as published apps have it; everything the host says is told to the test. */
const client = `addEventListener('message', (event) => {
    const { type, messageId, payload } = event.data;
    const error = payload && payload.error;
    say(type, { messageId, payload: error ? { ...payload, error: error instanceof Error ? error.message : error } : payload,
      fromParent: event.source === window.parent });
  });
  const ask = (type, payload, messageId) => window.parent.postMessage({ type, messageId, payload }, '*');`;

const renderData = {
  toolInput: null,
  toolOutput: null,
  theme: 'dark',
  locale: 'de-CH',
  displayMode: 'inline',
  maxHeight: 600,
};
const shown = async (app: Mounted) =>
  (await app.said('ui-lifecycle-iframe-render-data')).map((value) => (value as { payload: object }).payload);

describe.each(Object.entries(familyVariants('mcp-ui')))('HTML %s', (_name, mountVariant) => {
  test('is introduced, told what to show, and heard; its parent looks like one', async () => {
    const app = await mountVariant(
      toWidget(
        `${client} ask('ui-lifecycle-iframe-ready');
        say('others', [typeof mcpApp, typeof openai, parent !== window, parent !== top, document.compatMode]);
        ask('tool', { toolName: 'add', params: { a: 1 } }, 'm1');`,
        '',
      ),
    );
    await shakeHands(app, { tells: [['tool-input', { arguments: { a: 1 } }]] });
    expect((await sent(app, 'ui/initialize')).map(({ params }) => params)).toEqual([
      {
        appInfo: { name: 'mcp-ui', title: 'MCP-UI app', version: '1.0.0' },
        appCapabilities: { availableDisplayModes: ['inline', 'fullscreen', 'pip'] },
        protocolVersion: '2026-01-26',
      },
    ]);
    expect(await waitFor(app, 'others')).toEqual(['undefined', 'undefined', true, true, 'CSS1Compat']);
    expect(await waitFor(app, 'ui-lifecycle-iframe-render-data')).toEqual({
      payload: { renderData: { ...renderData, toolInput: { a: 1 } } },
      fromParent: true,
    });
    expect(await waitFor(app, 'ui-message-received')).toEqual({
      messageId: 'm1',
      payload: { messageId: 'm1' },
      fromParent: true,
    });
    const result = { content: [{ type: 'text', text: '3' }] };
    expect(await answer(app, 'tools/call', result)).toEqual({ name: 'add', arguments: { a: 1 } });
    expect(await waitFor(app, 'ui-message-response')).toEqual({
      messageId: 'm1',
      payload: { messageId: 'm1', response: result },
      fromParent: true,
    });
    expect(await app.sandboxMessages('dropped')).toEqual([]);
  });
});

test('cancellation and teardown are told; teardown is answered', async () => {
  const app = await mount(client);
  await shakeHands(app);
  await notify(app, 'tool-cancelled', { reason: 'user' });
  expect(await waitFor(app, 'ui-lifecycle-tool-cancelled')).toMatchObject({ payload: { reason: 'user' } });
  await app.post({ jsonrpc: '2.0', id: 'bye', method: 'ui/resource-teardown', params: { reason: 'closed' } });
  expect(await waitFor(app, 'ui-lifecycle-teardown')).toMatchObject({ payload: { reason: 'closed' } });
  await eventually(() => app.messages()).toContainEqual({ jsonrpc: '2.0', id: 'bye', result: {} });
});

test('the host’s own messages do not reach an app of this family, unless it speaks that language too', async () => {
  const app =
    await mount(`addEventListener('message', ({ data }) => say('heard', data.method || data.type || data.id));
    addEventListener('message', ({ data }) => { if (data.type === 'ui-lifecycle-iframe-render-data' && data.payload.renderData.toolInput)
      parent.postMessage({ jsonrpc: '2.0', id: 'own', method: 'ui/initialize', params: {} }, '*'); });`);
  await shakeHands(app);
  await notify(app, 'tool-input', { arguments: {} });
  await answer(app, 'ui/initialize', { protocolVersion: '2026-01-26' }, 1);
  await notify(app, 'tool-result', { content: [] });
  const data = 'ui-lifecycle-iframe-render-data';
  await eventually(() => app.said('heard')).toEqual([
    data,
    data,
    'own',
    'ui/notifications/tool-result',
    data,
  ]);
});

test('posting to the parent is like posting: it copies, and throws for what cannot be copied', async () => {
  const app =
    await mount(`${client} const params = { list: [1] }; ask('tool', { toolName: 'x', params }); params.list.push(2);
    try { parent.postMessage({ type: 'tool', payload: { toolName: () => 0 } }, '*'); } catch (error) { say('thrown', error.name); }
    try { parent.document; } catch (error) { say('reach', error.name); }`);
  await shakeHands(app);
  expect(await answer(app, 'tools/call')).toEqual({ name: 'x', arguments: { list: [1] } });
  expect(await waitFor(app, 'thrown')).toBe('DataCloneError');
  expect(await waitFor(app, 'reach')).toBe('SecurityError');
});

test('messages of no known kind are counted at the proxy, and the host sees only JSON-RPC', async () => {
  const app = await mount(
    `for (const odd of ['text', 7, null, [], { type: 'unknown' }, { type: 'constructor' }]) parent.postMessage(odd, '*');`,
  );
  await shakeHands(app);
  await eventually(async () =>
    (await app.sandboxMessages('dropped')).map(({ count, reason }) => [count, reason]),
  ).toEqual([[6, 'not-json-rpc']]);
  for (const message of await app.messages()) expect(message['jsonrpc']).toBe('2.0');
});

test('a flood of actions is cut at the proxy; the app and the page go on', async () => {
  const app = await mount(`${client} addEventListener('message', ({ data }) => {
    if (data.type !== 'ui-lifecycle-iframe-render-data' || data.payload.renderData.theme !== 'light') return;
    for (let at = 0; at < 20_000; at += 1) parent.postMessage({ type: 'tool', messageId: at, payload: { toolName: 'x' } }, '*');
    say('flooded', true); });`);
  await shakeHands(app);
  await notify(app, 'host-context-changed', { theme: 'light' });
  await eventually(async () =>
    (await app.sandboxMessages('dropped')).reduce((sum, { count }) => sum + Number(count), 0),
  ).toBeGreaterThan(10_000);
  expect((await sent(app, 'tools/call')).length).toBeLessThan(5_000);
  // What it says meanwhile may be part of the flood; when that is over it is heard again.
  await eventually(async () => {
    await app.post({ jsonrpc: '2.0', id: 'still', method: 'ping' });
    return app.messages();
  }).toContainEqual({ jsonrpc: '2.0', id: 'still', result: {} });
  expect(await page.evaluate(() => 1 + 1)).toBe(2);
});

test('an app that writes its document anew is told again, heard and measured', async () => {
  const app = await mount(
    `${client} ${toRewrite(`<!doctype html><style>body{margin:0}</style><div style="height:123px"></div><script>
      addEventListener('message', ({ data }) => say('again', data.type)); ask('notify', { message: 'back' }, 'n');</script>`)}`,
  );
  await shakeHands(app);
  for (const type of ['ui-message-received', 'ui-message-response', 'ui-lifecycle-iframe-render-data'])
    await eventually(() => app.said('again')).toContain(type);
  await eventually(async () => (await sent(app, 'ui/notifications/size-changed')).at(-1)?.params).toEqual({
    height: 123,
  });
  await app.post({ jsonrpc: '2.0', id: 'there', method: 'ping' });
  await eventually(() => app.messages()).toContainEqual({ jsonrpc: '2.0', id: 'there', result: {} });
});

test('a frame inside the app cannot ask in its name', async () => {
  const nested = `parent.postMessage({ type: 'tool', payload: { toolName: 'forged' } }, '*');
    parent.parent.postMessage({ type: 'tool', payload: { toolName: 'forged' } }, '*');
    top.postMessage({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'forged' } }, '*');
    parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: { arguments: { forged: true } } }, '*');
    parent.postMessage('done', '*');`;
  const app =
    await mount(`${client} addEventListener('message', ({ data }) => { if (data === 'done') say('nested', true); });
    const frame = document.createElement('iframe'); frame.setAttribute('sandbox', 'allow-scripts');
    frame.srcdoc = '<script>' + ${JSON.stringify(nested)} + '<' + '/script>'; document.body.append(frame);
    ask('ui-lifecycle-iframe-ready');`);
  await shakeHands(app);
  await waitFor(app, 'nested');
  await notify(app, 'host-context-changed', { theme: 'light' });
  await eventually(() => shown(app)).toContainEqual({ renderData: { ...renderData, theme: 'light' } });
  expect(await sent(app, 'tools/call')).toEqual([]);
});

import { describe, expect, test } from 'vitest';
import { page, useSandbox, world } from '../fixture.js';
import { mountApp, waitFor, type Mounted } from '../support.js';
import { eventually } from '../../support/eventually.js';
import {
  answer,
  familyVariants,
  notify,
  refuse,
  sent,
  shakeHands,
  surroundings,
  toRewrite,
  toWidget,
} from './widget.js';

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

const exchange = async (
  type: string,
  payload: unknown,
  respond?: (app: Mounted) => Promise<unknown>,
): Promise<unknown> => {
  const app = await mount(`${client} ask(${JSON.stringify(type)}, ${JSON.stringify(payload)}, 7);`);
  await shakeHands(app);
  await respond?.(app);
  const heard = await waitFor(app, 'ui-message-response');
  expect(await waitFor(app, 'ui-message-received')).toMatchObject({ messageId: 7 });
  expect(heard).toMatchObject({ messageId: 7, payload: { messageId: 7 } });
  return (heard as { payload: object }).payload;
};
const toMessage = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });

describe('each action, both ways', () => {
  test('tool: the result, also of a tool that failed; a refusal is an error', async () => {
    const failed = { content: [], isError: true };
    expect(await exchange('tool', { toolName: 'x' }, (app) => answer(app, 'tools/call', failed))).toEqual({
      messageId: 7,
      response: failed,
    });
    expect(
      await exchange('tool', { toolName: 'hidden' }, (app) => refuse(app, 'tools/call', 'not visible')),
    ).toEqual({ messageId: 7, error: 'not visible' });
    expect(await exchange('tool', {})).toEqual({ messageId: 7, error: 'payload.toolName must be a string.' });
  });

  test('prompt and intent: a message; a person’s no is an error', async () => {
    const asks: unknown[] = [];
    expect(
      await exchange('prompt', { prompt: 'Hi' }, async (app) => asks.push(await answer(app, 'ui/message'))),
    ).toEqual({ messageId: 7, response: {} });
    expect(
      await exchange('intent', { intent: 'book', params: { seat: 3 } }, async (app) =>
        asks.push(await answer(app, 'ui/message', { isError: true })),
      ),
    ).toEqual({ messageId: 7, error: 'The user declined.' });
    expect(asks).toEqual([toMessage('Hi'), toMessage('Intent: book\nParameters: {"seat":3}')]);
  });

  test('notify: a log line, answered at once', async () => {
    let seen: unknown;
    const payload = await exchange('notify', { message: 'Saved' }, async (app) => {
      await eventually(() => sent(app, 'notifications/message')).toContainEqual(
        (seen = expect.objectContaining({ params: { level: 'info', logger: 'mcp-ui', data: 'Saved' } })),
      );
    });
    expect(seen).toBeDefined();
    expect(payload).toEqual({ messageId: 7, response: {} });
  });

  test('link: a link, and addresses the host refuses', async () => {
    for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'https://user@example.com/']) {
      let asked: unknown;
      const payload = await exchange('link', { url }, async (app) => {
        asked = await refuse(app, 'ui/open-link', 'Policy violation');
      });
      expect(asked).toEqual({ url });
      expect(payload).toEqual({ messageId: 7, error: 'Policy violation' });
    }
    const good = await exchange('link', { url: 'https://example.com/' }, (app) =>
      answer(app, 'ui/open-link'),
    );
    expect(good).toEqual({ messageId: 7, response: {} });
  });

  test('ui-request-data: there is none, by name', async () => {
    expect(await exchange('ui-request-data', { requestType: 'payment', params: {} })).toEqual({
      messageId: 7,
      error: 'This host has no data of type "payment".',
    });
  });

  test('ui-size-change: a size, unanswered, and from then on the document’s own is not told', async () => {
    const style =
      '<!doctype html><style>body{margin:10px}p{display:none}</style><div id="box" style="height:100px"></div>';
    const app = await mount(
      `${client} addEventListener('message', ({ data }) => { if (data.type !== 'ui-lifecycle-iframe-render-data' || !data.payload.renderData.toolInput) return;
        for (const size of [{ width: 320, height: 240 }, { height: 'x' }, {}]) ask('ui-size-change', size, 's');
        document.getElementById('box').style.height = '300px'; setTimeout(() => say('grown', true), 200); });`,
      style,
    );
    await shakeHands(app);
    const sizes = async () => (await sent(app, 'ui/notifications/size-changed')).map(({ params }) => params);
    await eventually(sizes).toEqual([{ height: 120 }]);
    await notify(app, 'tool-input', { arguments: {} });
    await waitFor(app, 'grown');
    expect(await sizes()).toEqual([{ height: 120 }, { width: 320, height: 240 }]);
    expect(await app.said('ui-message-received')).toEqual([]);
  });

  test('ui-request-render-data: the same again, with its messageId', async () => {
    const app = await mount(`${client} ask('ui-request-render-data', undefined, 'r1');`);
    await shakeHands(app);
    await eventually(() => app.said('ui-lifecycle-iframe-render-data')).toContainEqual({
      messageId: 'r1',
      payload: { messageId: 'r1', renderData },
      fromParent: true,
    });
  });

  test('without a messageId nothing is answered', async () => {
    const app = await mount(
      `${client} ask('tool', { toolName: 'x' }); ask('tool', {}); ask('notify', { message: 1 });`,
    );
    await shakeHands(app);
    await answer(app, 'tools/call', { content: [] });
    await page.waitForTimeout(200);
    expect(await app.said('ui-message-received')).toEqual([]);
    expect(await app.said('ui-message-response')).toEqual([]);
    expect(await app.sandboxMessages('script-error')).toEqual([]);
  });
});

test('an app that never says it is ready is told once it has loaded, and again at every change', async () => {
  const app = await mount(client);
  await shakeHands(app, { context: { ...surroundings, 'casement/renderData': { rows: [1, 2] } } });
  const first = { ...renderData, rows: [1, 2] };
  await eventually(() => shown(app)).toEqual([{ renderData: first }]);
  await notify(app, 'tool-input-partial', { arguments: { a: 1 } });
  await notify(app, 'tool-input', { arguments: { a: 1, b: 2 } });
  await notify(app, 'tool-result', { content: [], structuredContent: { sum: 3 } });
  await notify(app, 'host-context-changed', { theme: 'light', displayMode: 'fullscreen' });
  const tool = { toolInput: { a: 1, b: 2 }, toolOutput: { sum: 3 }, toolResponseMetadata: null };
  await eventually(() => shown(app)).toEqual([
    { renderData: first },
    { renderData: { ...first, toolInput: { a: 1 } } },
    { renderData: { ...first, toolInput: { a: 1, b: 2 } } },
    { renderData: { ...first, ...tool } },
    { renderData: { ...first, ...tool, theme: 'light', displayMode: 'fullscreen' } },
  ]);
});

test('what an app asks before the host has introduced itself is asked afterwards, in order', async () => {
  const app = await mount(
    `${client} for (const name of ['a', 'b', 'c']) ask('tool', { toolName: name }, name);`,
  );
  await waitFor(app, 'ran');
  await eventually(() => app.said('ui-message-received')).toHaveLength(3);
  expect(await sent(app, 'tools/call')).toEqual([]);
  await shakeHands(app);
  await eventually(async () => (await sent(app, 'tools/call')).map(({ params }) => params?.['name'])).toEqual(
    ['a', 'b', 'c'],
  );
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

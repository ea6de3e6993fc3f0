import { describe, expect, test } from 'vitest';
import { page, useSandbox, world } from '../fixture.js';
import { mountApp, waitFor, type Mounted } from '../support.js';
import { eventually } from '../../support/eventually.js';
import {
  answer,
  everything,
  familyVariants,
  notify,
  refuse,
  sent,
  shakeHands,
  surroundings,
  toWidget,
} from './widget.js';

useSandbox();

const mount = (script: string, before?: string): Promise<Mounted> =>
  mountApp(page, world, toWidget(script, before), { family: 'openai' });

const toolInfo = { tool: { name: 'weather', inputSchema: { type: 'object' } } };
const input = ['tool-input', { arguments: { city: 'Bern' } }] as const;
const result = [
  'tool-result',
  { content: [], structuredContent: { degrees: 21 }, _meta: { secret: 'for the widget' } },
] as const;

const globals = `['toolInput', 'toolOutput', 'toolResponseMetadata', 'widgetState', 'theme', 'locale', 'displayMode',
  'maxHeight', 'safeArea', 'userAgent', 'view']`;
const readsGlobals = `const read = () => Object.fromEntries(${globals}.map((name) => [name, openai[name]]));
  say('first', read());
  addEventListener('openai:set_globals', (event) => { say('changed', event.detail.globals); say('now', read()); });`;

describe.each(Object.entries(familyVariants('openai')))('a widget %s', (_name, mountVariant) => {
  test('finds every global when its first script runs, and neither mcpApp nor a replaced parent', async () => {
    const app = await mountVariant(
      toWidget(`${readsGlobals} say('others', [typeof mcpApp, parent === proxy, document.compatMode]);`, ''),
    );
    const context = { ...surroundings, toolInfo };
    await shakeHands(app, { context, tells: [input, result] });
    expect(await waitFor(app, 'first')).toEqual({
      toolInput: { city: 'Bern' },
      toolOutput: { degrees: 21 },
      toolResponseMetadata: { secret: 'for the widget' },
      widgetState: null,
      theme: 'dark',
      locale: 'de-CH',
      displayMode: 'inline',
      maxHeight: 600,
      safeArea: { insets: { top: 1, right: 2, bottom: 3, left: 4 } },
      userAgent: { device: { type: 'mobile' }, capabilities: { hover: false, touch: true } },
      view: { mode: 'inline' },
    });
    expect(await waitFor(app, 'others')).toEqual(['undefined', true, 'CSS1Compat']);
    expect((await sent(app, 'ui/initialize')).map(({ params }) => params)).toEqual([
      {
        appInfo: { name: 'openai-apps-sdk', title: 'OpenAI Apps SDK widget', version: '1.0.0' },
        appCapabilities: { availableDisplayModes: ['inline', 'fullscreen', 'pip'] },
        protocolVersion: '2026-01-26',
      },
    ]);
  });
});

test('the document waits for the tool that is named, and for nothing when none is', async () => {
  const app = await mount(readsGlobals);
  await shakeHands(app, { context: { ...surroundings, toolInfo } });
  await page.waitForTimeout(300);
  expect(await app.said('ran')).toEqual([]);
  await notify(app, 'tool-input-partial', { arguments: { city: 'B' } });
  expect(await waitFor(app, 'first')).toMatchObject({ toolInput: { city: 'B' }, toolOutput: null });

  for (const [name, params] of [result, ['tool-cancelled', { reason: 'user' }] as const]) {
    const other = await mount(readsGlobals);
    await shakeHands(other, { context: { ...surroundings, toolInfo }, tells: [[name, params]] });
    await waitFor(other, 'ran');
  }
  const toolless = await mount(readsGlobals);
  await shakeHands(toolless);
  expect(await waitFor(toolless, 'first')).toMatchObject({ toolInput: null, toolOutput: null });
});

test('what changes while the document is awaited is there with its first script', async () => {
  const app = await mount(readsGlobals);
  await shakeHands(app, {
    context: { ...surroundings, toolInfo },
    tells: [['host-context-changed', { theme: 'light' }]],
  });
  await notify(app, 'host-context-changed', { locale: 'fr-CH' });
  await notify(app, ...input);
  expect(await waitFor(app, 'first')).toMatchObject({ theme: 'light', locale: 'fr-CH' });
  expect(await app.said('changed')).toEqual([]);
});

test('a widget that only listens hears the host’s notifications, and no answers to others', async () => {
  const app = await mount(
    `addEventListener('message', ({ data }) => say('heard', data.method || data.id)); settle('mode', openai.requestDisplayMode());`,
  );
  await shakeHands(app);
  await answer(app, 'ui/request-display-mode', { mode: 'inline' });
  await waitFor(app, 'mode');
  await notify(app, ...result);
  await eventually(() => app.said('heard')).toEqual(['ui/notifications/tool-result']);
});

test('an old host that answers no ping but with an error shows the widget all the same', async () => {
  const app = await mount('');
  await answer(app, 'ui/initialize', { protocolVersion: '2026-01-26' });
  await refuse(app, 'ping', 'Method not found');
  await waitFor(app, 'ran');
});

test('news of tool and surroundings come as openai:set_globals with what changed', async () => {
  const app = await mount(readsGlobals);
  await shakeHands(app);
  await waitFor(app, 'ran');
  await notify(app, 'tool-input-partial', { arguments: { city: 'Be' } });
  await notify(app, ...input);
  await notify(app, ...result);
  await notify(app, 'host-context-changed', { theme: 'light', locale: 'de-CH' });
  await notify(app, 'host-context-changed', { displayMode: 'pip', containerDimensions: { height: 300 } });
  await notify(app, 'host-context-changed', { 'casement/view': { mode: 'modal', params: { id: 7 } } });
  await notify(app, 'host-context-changed', { 'casement/widgetState': { picked: 2 } });
  await eventually(() => app.said('changed')).toEqual([
    { toolInput: { city: 'Be' } },
    { toolInput: { city: 'Bern' } },
    { toolOutput: { degrees: 21 }, toolResponseMetadata: { secret: 'for the widget' } },
    { theme: 'light' },
    { displayMode: 'pip', maxHeight: 300, view: { mode: 'pip' } },
    { view: { mode: 'modal', params: { id: 7 } } },
    { widgetState: { picked: 2 } },
  ]);
  expect((await app.said('now')).at(-1)).toMatchObject({
    toolOutput: { degrees: 21 },
    theme: 'light',
    displayMode: 'pip',
    widgetState: { picked: 2 },
  });
});

test('widget state is there at once, kept by the host, and restored', async () => {
  const sets = `say('restored', openai.widgetState);
    addEventListener('openai:set_globals', (event) => say('changed', event.detail.globals));
    settle('set', openai.setWidgetState({ modelContent: { picked: 'A' }, privateContent: { at: 3 }, imageIds: [] }));
    say('at once', openai.widgetState);`;
  const app = await mount(sets);
  await shakeHands(app, { context: { ...surroundings, 'casement/widgetState': { old: true } } });
  const state = { modelContent: { picked: 'A' }, privateContent: { at: 3 }, imageIds: [] };
  expect(await waitFor(app, 'restored')).toEqual({ old: true });
  expect(await waitFor(app, 'at once')).toEqual(state);
  expect(await waitFor(app, 'changed')).toEqual({ widgetState: state });
  expect(await sent(app, 'ui/update-model-context')).toEqual([]);
  expect(await answer(app, 'casement/widget-state')).toEqual({ state });
  // Of the three parts only the model's own goes to the model.
  expect(await answer(app, 'ui/update-model-context')).toEqual({ structuredContent: { picked: 'A' } });
  expect(await waitFor(app, 'set')).toEqual({});
});

test('a state the host refuses is refused to the widget by name, and the model hears nothing of it', async () => {
  const app =
    await mount(`settle('set', openai.setWidgetState({ modelContent: 'x', huge: 'y'.repeat(300000) }));
    settle('plain', openai.setWidgetState({ count: 1 }));`);
  await shakeHands(app);
  await refuse(app, 'casement/widget-state', 'The widget state is larger than 256 KiB.');
  expect(await waitFor(app, 'set')).toEqual({ error: 'The widget state is larger than 256 KiB.' });
  await answer(app, 'casement/widget-state', {}, 1);
  // Of the state that was kept instead it hears.
  expect(await answer(app, 'ui/update-model-context')).toEqual({ structuredContent: { count: 1 } });
  expect(await waitFor(app, 'plain')).toEqual({});
});

test('model content may be text, and may be taken back', async () => {
  const app = await mount(`openai.setWidgetState({ modelContent: 'Two picked' });
    setTimeout(() => openai.setWidgetState({ modelContent: null }), 300);`);
  await shakeHands(app);
  await answer(app, 'casement/widget-state');
  expect(await answer(app, 'ui/update-model-context')).toEqual({
    content: [{ type: 'text', text: 'Two picked' }],
  });
  await answer(app, 'casement/widget-state', {}, 1);
  expect(await answer(app, 'ui/update-model-context', {}, 1)).toEqual({});
});

test('5 MB of widget state end at the proxy, by name, and the widget lives', async () => {
  const app = await mount(`settle('set', openai.setWidgetState({ huge: 'y'.repeat(5_000_000) }));
    addEventListener('openai:set_globals', (event) => { if (event.detail.globals.theme) say('alive', event.detail.globals.theme); });`);
  await shakeHands(app);
  expect(await waitFor(app, 'set')).toEqual({ error: 'Message is larger than 4 MB' });
  await eventually(() => app.sandboxMessages('dropped')).toEqual([
    { count: 1, reason: 'too-large', method: 'casement/widget-state' },
  ]);
  expect(await sent(app, 'casement/widget-state')).toEqual([]);
  await notify(app, 'host-context-changed', { theme: 'light' });
  expect(await waitFor(app, 'alive')).toBe('light');
});

test('callTool is tools/call, and its answer is an event besides', async () => {
  const app = await mount(`addEventListener('openai:tool_response', (event) => say('response', event.detail));
    settle('called', openai.callTool('refresh', { city: 'Bern' })); settle('bare', openai.callTool('plain'));
    settle('refused', openai.callTool('hidden', null)); settle('odd', openai.callTool('odd', { at: () => 0 }));`);
  await shakeHands(app);
  const outcome = { content: [{ type: 'text', text: 'ok' }], structuredContent: { degrees: 22 } };
  expect(await answer(app, 'tools/call', outcome)).toEqual({ name: 'refresh', arguments: { city: 'Bern' } });
  expect(await answer(app, 'tools/call', { content: [], isError: true }, 1)).toEqual({
    name: 'plain',
    arguments: {},
  });
  expect(await refuse(app, 'tools/call', 'Tool is not visible to apps', 2)).toEqual({
    name: 'hidden',
    arguments: {},
  });
  expect(await waitFor(app, 'called')).toEqual({ value: { ...outcome, result: 'ok' } });
  const tool = { name: 'refresh', args: { city: 'Bern' } };
  expect(await waitFor(app, 'response')).toEqual({ tool, ...tool, result: { ...outcome, result: 'ok' } });
  expect(await waitFor(app, 'bare')).toEqual({ value: { content: [], isError: true, result: '' } });
  expect(await waitFor(app, 'refused')).toEqual({ error: 'Tool is not visible to apps' });
  expect(await waitFor(app, 'odd')).toMatchObject({ error: expect.stringContaining('could not be cloned') });
  expect(await sent(app, 'tools/call')).toHaveLength(3);
});

test('sendFollowUpMessage and its oldest name are ui/message; a no is a failed promise', async () => {
  const app =
    await mount(`settle('sent', openai.sendFollowUpMessage({ prompt: 'More', scrollToBottom: false }));
    settle('turn', openai.sendFollowupTurn({ prompt: 'Again' })); settle('odd', openai.sendFollowUpMessage({}));`);
  await shakeHands(app);
  const toMessage = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });
  expect(await answer(app, 'ui/message')).toEqual(toMessage('More'));
  expect(await answer(app, 'ui/message', { isError: true }, 1)).toEqual(toMessage('Again'));
  expect(await waitFor(app, 'sent')).toEqual({});
  expect(await waitFor(app, 'turn')).toEqual({ error: 'The user declined.' });
  expect(await waitFor(app, 'odd')).toEqual({ error: 'prompt must be a string.' });
});

test('openExternal is ui/open-link and promises nothing, also for addresses the host refuses', async () => {
  const app =
    await mount(`say('returned', typeof openai.openExternal({ href: 'https://example.com/', redirectUrl: false }));
    openai.openExternal({ href: 'javascript:alert(1)' }); openai.openExternal({ href: 'file:///etc/passwd' });`);
  await shakeHands(app);
  expect(await waitFor(app, 'returned')).toBe('undefined');
  expect(await answer(app, 'ui/open-link')).toEqual({ url: 'https://example.com/' });
  expect(await refuse(app, 'ui/open-link', 'Policy violation', 1)).toEqual({ url: 'javascript:alert(1)' });
  expect(await refuse(app, 'ui/open-link', 'Policy violation', 2)).toEqual({ url: 'file:///etc/passwd' });
  await page.waitForTimeout(200);
  expect(await app.sandboxMessages('script-error')).toEqual([]);
});

test('requestModal, requestDisplayMode and requestClose ask the host', async () => {
  const app =
    await mount(`settle('modal', openai.requestModal({ title: 'Pick', params: { id: 7 }, template: 'ui://w/pick', anchor: {} }));
    settle('mode', openai.requestDisplayMode({ mode: 'pip' })); settle('close', openai.requestClose());`);
  await shakeHands(app);
  expect(await answer(app, 'casement/modal')).toEqual({
    title: 'Pick',
    params: { id: 7 },
    template: 'ui://w/pick',
  });
  expect(await answer(app, 'ui/request-display-mode', { mode: 'fullscreen' })).toEqual({ mode: 'pip' });
  expect(await waitFor(app, 'modal')).toEqual({ value: {} });
  expect(await waitFor(app, 'mode')).toEqual({ value: { mode: 'fullscreen' } });
  expect(await waitFor(app, 'close')).toEqual({});
  expect(await sent(app, 'ui/notifications/request-teardown')).toHaveLength(1);
});

test('the height comes from the document, and from notifyIntrinsicHeight', async () => {
  const style =
    '<!doctype html><style>body{margin:10px}p{display:none}</style><div id="box" style="height:100px"></div>';
  const app = await mount(
    `addEventListener('openai:set_globals', () => { openai.notifyIntrinsicHeight(450); openai.notifyIntrinsicHeight(450);
       for (const odd of [NaN, -1, 'x', null, undefined, Infinity]) openai.notifyIntrinsicHeight(odd);
       document.getElementById('box').style.height = '300px'; });`,
    style,
  );
  await shakeHands(app);
  const heights = async () => (await sent(app, 'ui/notifications/size-changed')).map(({ params }) => params);
  await eventually(heights).toEqual([{ height: 120 }]);
  await notify(app, ...input);
  await eventually(heights).toEqual([{ height: 120 }, { height: 450 }, { height: 320 }]);
});

const lists = `say('methods', Object.keys(openai).filter((name) => typeof openai[name] === 'function').sort());
  say('absent', ['setOpenInAppUrl', 'uploadFile', 'selectFiles', 'getFileDownloadUrl', 'requestCheckout'].map((name) => typeof openai[name]));`;

test('methods the host has nothing for are undefined', async () => {
  const names = async (capabilities: object, context: object): Promise<unknown> => {
    const app = await mount(lists);
    await shakeHands(app, { capabilities, context });
    expect(await waitFor(app, 'absent')).toEqual(Array(5).fill('undefined'));
    return waitFor(app, 'methods');
  };
  expect(await names(everything, surroundings)).toEqual(
    [
      'callTool',
      'notifyIntrinsicHeight',
      'openExternal',
      'requestClose',
      'requestDisplayMode',
      'requestModal',
      'sendFollowUpMessage',
      'sendFollowupTurn',
      'setWidgetState',
    ].sort(),
  );
  expect(await names({}, { availableDisplayModes: ['inline'] })).toEqual([
    'notifyIntrinsicHeight',
    'requestClose',
  ]);
});

test('teardown and pings of the host are answered, other requests by name refused', async () => {
  const app = await mount('');
  await shakeHands(app);
  await waitFor(app, 'ran');
  await app.post({ jsonrpc: '2.0', id: 'there', method: 'ping' });
  await app.post({ jsonrpc: '2.0', id: 'list', method: 'tools/list', params: {} });
  await app.post({ jsonrpc: '2.0', id: 'bye', method: 'ui/resource-teardown', params: {} });
  await eventually(async () =>
    (await app.messages()).filter(({ id }) => ['there', 'list', 'bye'].includes(String(id))),
  ).toEqual([
    { jsonrpc: '2.0', id: 'there', result: {} },
    { jsonrpc: '2.0', id: 'list', error: { code: -32601, message: 'Method not found' } },
    { jsonrpc: '2.0', id: 'bye', result: {} },
  ]);
});

test('a widget that also speaks MCP Apps itself is answered once, by itself', async () => {
  const app = await mount(`addEventListener('message', ({ data }) => {
      if (data.id === 'own') proxy.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/initialized' }, '*');
      if (data.method === 'ui/notifications/tool-input') say('heard', data.params);
      if (data.method === 'ui/resource-teardown') proxy.postMessage({ jsonrpc: '2.0', id: data.id, result: { by: 'app' } }, '*');
    });
    proxy.postMessage({ jsonrpc: '2.0', id: 'own', method: 'ui/initialize', params: {} }, '*');`);
  await shakeHands(app);
  await answer(app, 'ui/initialize', { protocolVersion: '2026-01-26' }, 1);
  await eventually(() => sent(app, 'ui/notifications/initialized')).toHaveLength(2);
  await notify(app, ...input);
  expect(await waitFor(app, 'heard')).toEqual(input[1]);
  await app.post({ jsonrpc: '2.0', id: 'bye', method: 'ui/resource-teardown', params: {} });
  await eventually(async () => (await app.messages()).filter(({ id }) => id === 'bye')).toEqual([
    { jsonrpc: '2.0', id: 'bye', result: { by: 'app' } },
  ]);
});

test('a widget that reloads is introduced anew', async () => {
  const app = await mount(
    `if (!name) { name = 'again'; setTimeout(() => location.reload(), 100); } say('name', openai.theme);`,
  );
  await shakeHands(app);
  await answer(app, 'ui/initialize', { protocolVersion: '2026-01-26', hostContext: { theme: 'light' } }, 1);
  await answer(app, 'ping', {}, 1);
  await eventually(() => app.said('name')).toEqual(['dark', 'light']);
});

test('a handshake the host refuses shows nothing and is told', async () => {
  const app = await mount('');
  await refuse(app, 'ui/initialize', 'This app is not being started.');
  await eventually(() => app.sandboxMessages('script-error')).toEqual([
    { message: 'Error: This app is not being started.' },
  ]);
  expect(await app.said('ran')).toEqual([]);
});

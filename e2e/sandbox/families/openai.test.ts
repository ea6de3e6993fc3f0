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
  // What it would have written by now would have spoken before this is answered.
  await app.post({ jsonrpc: '2.0', id: 'there', method: 'ping' });
  await eventually(() => app.messages()).toContainEqual({ jsonrpc: '2.0', id: 'there', result: {} });
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

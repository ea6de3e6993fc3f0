import { describe, expect, test } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { eventually } from '../support/eventually.js';
import { page, useSandbox, variants, world } from './fixture.js';
import { mountApp, toGuest, waitFor, type Mounted } from './support.js';

useSandbox();

const sent = async (app: Mounted, method: string) =>
  (await app.messages()).filter((message) => message.method === method);

const hostContext = { theme: 'dark', locale: 'de-CH', containerDimensions: { maxHeight: 600, width: 400 } };

const answer = async (app: Mounted, method: string, result: object, at = 0): Promise<void> => {
  await eventually(async () => (await sent(app, method)).length).toBeGreaterThan(at);
  await app.post({ jsonrpc: '2.0', id: (await sent(app, method))[at]?.id, result });
};

/** Answers the handshake as a host does, and waits for the app to be initialized. */
const shakeHands = async (app: Mounted): Promise<void> => {
  await answer(app, 'ui/initialize', { protocolVersion: '2026-01-26', hostContext });
  await eventually(() => sent(app, 'ui/notifications/initialized')).toHaveLength(1);
};

const notify = (app: Mounted, name: string, params: object): Promise<void> =>
  app.post({ jsonrpc: '2.0', method: `ui/notifications/${name}`, params });

const mountShim = (script: string, before?: string): Promise<Mounted> =>
  mountApp(page, world, toGuest(script, before), {}, { shim: true });

const hears = `for (const name of ['tool-input', 'tool-result', 'tool-cancelled', 'context-change', 'teardown']) {
  addEventListener('mcp:' + name, (event) => say(name, event.detail));
  document.addEventListener('mcp:' + name, () => say('document', name));
}`;

describe.each(Object.entries(variants))('an app %s', (_name, mount) => {
  verifies(
    ['S1-95', 'S1-97', 'S1-98', 'S1-106', 'S1-107'],
    'finds mcpApp, is introduced by it, and reads input, result and context from it',
    async () => {
      const reads = `say('before', [mcpApp.toolInput, mcpApp.toolResult, mcpApp.hostContext]); ${hears}
        addEventListener('mcp:tool-result', () => say('fields', [mcpApp.toolInput, mcpApp.toolResult, mcpApp.hostContext]));`;
      const app = await mount(toGuest(reads, '<!doctype html><title>Old app</title>'), { shim: true });
      expect(await waitFor(app, 'before')).toEqual([null, null, {}]);
      await shakeHands(app);
      expect((await sent(app, 'ui/initialize'))[0]?.params).toEqual({
        appInfo: { name: 'Old app', version: '1.0.0' },
        appCapabilities: {},
        protocolVersion: '2026-01-26',
      });
      await notify(app, 'tool-input', { arguments: { location: 'Bern' } });
      await notify(app, 'tool-result', { content: [], structuredContent: { temperature: 72 } });
      expect(await waitFor(app, 'tool-input')).toEqual({ arguments: { location: 'Bern' } });
      expect(await waitFor(app, 'tool-result')).toMatchObject({ structuredContent: { temperature: 72 } });
      expect(await waitFor(app, 'fields')).toEqual([
        { location: 'Bern' },
        { content: [], structuredContent: { temperature: 72 } },
        { viewport: hostContext.containerDimensions, ...hostContext },
      ]);
      expect(await app.said('document')).toEqual(['tool-input', 'tool-result']);
    },
  );
});

verifies(
  ['S1-99', 'S1-100', 'S1-101', 'S1-102', 'S1-103'],
  'mcpApp asks under the spec’s names, not before the handshake, and gives back answer or error',
  async () => {
    const asks = `const tell = (name, promise) => promise.then((value) => say(name, value), (error) => say(name, error.message));
      tell('tool', mcpApp.callTool('weather', { city: 'Bern' })); tell('bare', mcpApp.callTool('plain'));
      tell('resource', mcpApp.readResource('ui://x')); tell('link', mcpApp.openLink('https://example.com/'));
      tell('message', mcpApp.sendMessage('hello')); mcpApp.resize(320, 240);`;
    const app = await mountShim(asks);
    await waitFor(app, 'ran');
    await eventually(() => sent(app, 'ui/initialize')).toHaveLength(1);
    expect(await sent(app, 'tools/call')).toEqual([]);
    await shakeHands(app);
    await eventually(() => sent(app, 'tools/call')).toMatchObject([
      { params: { name: 'weather', arguments: { city: 'Bern' } } },
      { params: { name: 'plain', arguments: {} } },
    ]);
    expect(await sent(app, 'resources/read')).toMatchObject([{ params: { uri: 'ui://x' } }]);
    expect(await sent(app, 'ui/open-link')).toMatchObject([{ params: { url: 'https://example.com/' } }]);
    expect(await sent(app, 'ui/message')).toMatchObject([
      { params: { role: 'user', content: [{ type: 'text', text: 'hello' }] } },
    ]);
    expect((await sent(app, 'ui/notifications/size-changed'))[0]?.params).toEqual({
      width: 320,
      height: 240,
    });
    await answer(app, 'tools/call', { content: [{ type: 'text', text: 'sunny' }] });
    expect(await waitFor(app, 'tool')).toEqual({ content: [{ type: 'text', text: 'sunny' }] });
    const [{ id } = {}] = await sent(app, 'ui/open-link');
    await app.post({ jsonrpc: '2.0', id, error: { code: -32000, message: 'not allowed' } });
    expect(await waitFor(app, 'link')).toBe('not allowed');
  },
);

verifies('S1-96', 'a request nobody answers fails after 30 seconds and names its method', async () => {
  const hurries = `const real = setTimeout;
    setTimeout = (task, ms) => { if (ms > 1000) say('limit', ms); return real(task, ms / 100); };
    mcpApp.callTool('slow').catch((error) => say('failed', error.message));`;
  const app = await mountShim(hurries);
  expect(await waitFor(app, 'limit')).toBe(30_000);
  expect(await waitFor(app, 'failed')).toContain('tools/call');
});

verifies('S1-105', 'mcpApp reports the size of the content, once per size', async () => {
  const grows = `addEventListener('mcp:tool-input', () => { document.getElementById('box').style.height = '300px'; });`;
  const style =
    '<!doctype html><style>body{margin:10px}p{display:none}</style><div id="box" style="height:100px"></div>';
  const app = await mountShim(grows, style);
  await shakeHands(app);
  const heights = async () => (await sent(app, 'ui/notifications/size-changed')).map(({ params }) => params);
  await eventually(heights).toEqual([{ width: 400, height: 120 }]);
  await notify(app, 'tool-input', { arguments: {} });
  await eventually(heights).toEqual([
    { width: 400, height: 120 },
    { width: 400, height: 320 },
  ]);
});

verifies(
  ['S1-108', 'S1-109', 'S1-110'],
  'cancellation, context and teardown are events; teardown and ping are answered',
  async () => {
    const app = await mountShim(
      `${hears} addEventListener('mcp:context-change', () => say('context', mcpApp.hostContext));`,
    );
    await shakeHands(app);
    await notify(app, 'tool-cancelled', { reason: 'user' });
    expect(await waitFor(app, 'tool-cancelled')).toEqual({ reason: 'user' });
    await notify(app, 'host-context-changed', { theme: 'light' });
    expect(await waitFor(app, 'context-change')).toEqual({ theme: 'light' });
    expect(await waitFor(app, 'context')).toMatchObject({ theme: 'light', locale: 'de-CH' });
    await app.post({
      jsonrpc: '2.0',
      id: 'bye',
      method: 'ui/resource-teardown',
      params: { reason: 'closed' },
    });
    expect(await waitFor(app, 'teardown')).toEqual({ reason: 'closed' });
    await app.post({ jsonrpc: '2.0', id: 'there', method: 'ping' });
    for (const id of ['bye', 'there']) {
      await eventually(() => app.messages()).toContainEqual({ jsonrpc: '2.0', id, result: {} });
    }
  },
);

/** An app of today that happens to mention mcpApp: it shakes hands itself, at a moment of its choosing. */
const toOwnHands = (when: string) => `${hears}
  addEventListener('load', () => setTimeout(() => setTimeout(() => say('loaded', true))));
  addEventListener('message', ({ data }) => {
    if (data.method === 'ui/notifications/host-context-changed') say('later', true);
    if (data.id === 'own') send({ method: 'ui/notifications/initialized' });
    if (data.method === 'ui/resource-teardown') send({ id: data.id, result: { by: 'app' } });
  });
  const greet = () => send({ id: 'own', method: 'ui/initialize', params: {} });
  ${when}`;

test.each([
  ['while it is parsed', 'greet();'],
  ['when it has loaded', `addEventListener('load', greet);`],
])('an app that shakes hands itself %s is not shaken a second time', async (_name, when) => {
  const app = await mountShim(toOwnHands(when));
  await waitFor(app, 'ran');
  await eventually(() => sent(app, 'ui/initialize')).toHaveLength(1);
  // The shim's question to the proxy is on its way since the load, and the proxy's word would come before this one.
  await waitFor(app, 'loaded');
  await notify(app, 'host-context-changed', {});
  await waitFor(app, 'later');
  // The answer comes late: until then only the proxy knows who was first.
  await shakeHands(app);
  expect(await sent(app, 'ui/initialize')).toHaveLength(1);
  await notify(app, 'tool-input', { arguments: {} });
  await app.post({ jsonrpc: '2.0', id: 'bye', method: 'ui/resource-teardown', params: {} });
  await eventually(() => app.messages()).toContainEqual({ jsonrpc: '2.0', id: 'bye', result: { by: 'app' } });
  expect((await app.messages()).filter(({ id }) => id === 'bye')).toHaveLength(1);
  expect(await app.said('tool-input')).toEqual([]);
  expect(await sent(app, 'ui/notifications/size-changed')).toEqual([]);
});

test('an app that shakes hands later than the shim takes over from it', async () => {
  const later = toOwnHands(`addEventListener('mcp:tool-input', greet);`);
  const app = await mountShim(later);
  await shakeHands(app);
  await notify(app, 'tool-input', { arguments: {} });
  await answer(app, 'ui/initialize', { protocolVersion: '2026-01-26', hostContext }, 1);
  await eventually(() => sent(app, 'ui/notifications/initialized')).toHaveLength(2);
  await app.post({ jsonrpc: '2.0', id: 'bye', method: 'ui/resource-teardown', params: {} });
  await eventually(async () => (await app.messages()).filter(({ id }) => id === 'bye')).toEqual([
    { jsonrpc: '2.0', id: 'bye', result: { by: 'app' } },
  ]);
});

test('requests of the app’s own beside mcpApp do not silence it', async () => {
  const app = await mountShim(`${hears} send({ id: 7, method: 'tools/list', params: {} });`);
  await shakeHands(app);
  await app.post({ jsonrpc: '2.0', id: 7, result: { tools: [] } });
  await notify(app, 'tool-input', { arguments: {} });
  await waitFor(app, 'tool-input');
});

test('a sibling cannot speak to mcpApp as the host', async () => {
  const app = await mountShim(`${hears} addEventListener('message', () => say('message', true));`);
  await shakeHands(app);
  const before = (await app.said('message')).length;
  await page.evaluate(() => {
    const data = { jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: { arguments: {} } };
    window.frames[0]?.frames[0]?.postMessage(data, '*');
  });
  await eventually(async () => (await app.said('message')).length).toBeGreaterThan(before);
  expect(await app.said('tool-input')).toEqual([]);
});

verifies('S1-104', 'without the host’s word there is no mcpApp, and never window.openai', async () => {
  const looks = `say('found', [typeof window.mcpApp, typeof window.openai]);`;
  const plain = await mountApp(page, world, toGuest(looks));
  expect(await waitFor(plain, 'found')).toEqual(['undefined', 'undefined']);
  for (const shim of ['true', 1, {}, false]) {
    const odd = await mountApp(page, world, toGuest(looks), {}, { shim });
    expect(await waitFor(odd, 'found')).toEqual(['undefined', 'undefined']);
  }
  expect(await waitFor(await mountShim(looks), 'found')).toEqual(['object', 'undefined']);
});

verifies('S1-92', 'mcpApp is there before the first script, whatever the HTML begins with', async () => {
  for (const before of ['', '<!--<head>-->', '<title><head></title>', '<html><!-- <html> --><head>']) {
    const app = await mountShim(`say('found', typeof mcpApp);`, before);
    expect(await waitFor(app, 'found')).toBe('object');
  }
});

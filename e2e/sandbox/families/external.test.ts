import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { page, useSandbox, world } from '../fixture.js';
import { mountApp, mountOpaque, mountStatic, type Mounted } from '../support.js';
import { eventually } from '../../support/eventually.js';
import { closeServer } from '../../support/world.js';
import { answer, notify, sent, shakeHands } from './widget.js';

useSandbox();

/** A page as its author serves it: it knows its parent alone, keeps what it hears, and can be told to ask. */
const site = `<!doctype html><title>site</title><script>
  window.siteHeard = [];
  addEventListener('message', (event) => siteHeard.push({ data: event.data, origin: event.origin, fromParent: event.source === parent }));
  window.siteAsk = (type, payload, messageId) => parent.postMessage({ type, messageId, payload }, '*');
  if (location.pathname === '/ready') siteAsk('ui-lifecycle-iframe-ready');
</script>`;

let server: Server;
let origin = '';

beforeAll(async () => {
  server = createServer((incoming, response) => {
    const away = incoming.url === '/redirect' ? { location: `${world.evil}/away` } : undefined;
    response.writeHead(away ? 302 : 200, { 'content-type': 'text/html', ...away }).end(site);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server always reports an AddressInfo.
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => closeServer(server));

const mountPage = (url: string, frameDomains = [new URL(url).origin]): Promise<Mounted> =>
  mountApp(page, world, '', { family: 'mcp-ui', csp: { frameDomains } }, { url });

const findSite = async (start: string): Promise<Frame> => {
  const find = () => page.frames().find((frame) => frame.url().startsWith(start));
  await eventually(() => find()?.url()).toBeDefined();
  const frame = find();
  if (!frame) throw new Error('The page is not there.');
  await frame.waitForLoadState();
  return frame;
};
const heard = (frame: Frame, type: string): Promise<{ data: { payload: object; messageId?: string } }[]> =>
  frame.evaluate(
    (name) =>
      Reflect.get(window, 'siteHeard').filter(
        (entry: { data: { type: string } }) => entry.data.type === name,
      ),
    type,
  );
const ask = (frame: Frame, ...message: unknown[]): Promise<void> =>
  frame.evaluate((given) => Reflect.get(window, 'siteAsk')(...given), message);

test('a page of its own is shown in one frame, told what to show, heard and answered', async () => {
  const app = await mountPage(`${origin}/ready?waitForRenderData=true`);
  await shakeHands(app, { tells: [['tool-input', { arguments: { a: 1 } }]] });
  const frame = await findSite(`${origin}/ready`);
  await eventually(() => heard(frame, 'ui-lifecycle-iframe-render-data')).toContainEqual({
    data: {
      type: 'ui-lifecycle-iframe-render-data',
      payload: { renderData: expect.objectContaining({ toolInput: { a: 1 }, theme: 'dark' }) },
    },
    origin: app.appOrigin,
    fromParent: true,
  });
  await ask(frame, 'tool', { toolName: 'add', params: { b: 2 } }, 'm1');
  expect(await answer(app, 'tools/call', { content: [] })).toEqual({ name: 'add', arguments: { b: 2 } });
  await eventually(() => heard(frame, 'ui-message-response')).toMatchObject([
    { data: { messageId: 'm1', payload: { messageId: 'm1', response: { content: [] } } } },
  ]);
  await ask(frame, 'ui-size-change', { height: 333 });
  await eventually(async () =>
    (await sent(app, 'ui/notifications/size-changed')).map(({ params }) => params),
  ).toEqual([{ height: 333 }]);
  await notify(app, 'tool-result', { content: [], structuredContent: { sum: 3 } });
  await eventually(
    async () => (await heard(frame, 'ui-lifecycle-iframe-render-data')).at(-1)?.data.payload,
  ).toMatchObject({
    renderData: { toolOutput: { sum: 3 } },
  });
});

test('a page that says nothing is told once it has loaded', async () => {
  const app = await mountPage(`${origin}/quiet`);
  await shakeHands(app);
  await eventually(
    async () => (await heard(await findSite(`${origin}/quiet`), 'ui-lifecycle-iframe-render-data')).length,
  ).toBe(1);
});

test.each([
  ['/quiet', '/quiet'],
  ['/ready', '/ready'],
  ['/ready', '/quiet'],
])('a page that goes from %s to %s is told again, once', async (path, next) => {
  const app = await mountPage(`${origin}${path}`);
  await shakeHands(app);
  const told = async (at: string) =>
    (await heard(await findSite(`${origin}${at}`), 'ui-lifecycle-iframe-render-data')).length;
  await eventually(() => told(path)).toBe(1);
  await (await findSite(`${origin}${path}`)).evaluate((to) => location.assign(to), `${next}?again`);
  await eventually(() => told(`${next}?again`).catch(() => 0)).toBe(1);
  await ask(await findSite(`${origin}${next}?again`), 'ui-request-render-data', undefined, 'r');
  await eventually(() => told(`${next}?again`)).toBe(2);
});

test('the page has no way past its frame: not to the proxy, not to the host, not into its parent', async () => {
  const app = await mountPage(`${origin}/ready`);
  await shakeHands(app);
  const frame = await findSite(origin);
  const reach = await frame.evaluate(() => {
    const forged = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'forged' } };
    const action = { type: 'tool', payload: { toolName: 'forged' } };
    for (const target of [parent, parent.parent, top]) target?.postMessage(forged, '*');
    for (const target of [parent.parent, top]) target?.postMessage(action, '*');
    // As the proxy would speak to the loader.
    parent.postMessage(
      { jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: { arguments: { forged: true } } },
      '*',
    );
    const attempt = (touch: () => unknown): string => {
      try {
        touch();
        return 'reached';
      } catch (error) {
        return (error as Error).name;
      }
    };
    return [() => parent.document, () => top?.document, () => top?.location.assign('/')].map(attempt);
  });
  expect(reach).toEqual(Array(3).fill('SecurityError'));
  await ask(frame, 'ui-request-render-data', undefined, 'after');
  await eventually(async () =>
    (await heard(frame, 'ui-lifecycle-iframe-render-data')).map(({ data }) => data),
  ).toContainEqual(
    expect.objectContaining({
      messageId: 'after',
      payload: { messageId: 'after', renderData: expect.objectContaining({ toolInput: null }) },
    }),
  );
  expect(await sent(app, 'tools/call')).toEqual([]);
});

test('only the page’s own origin is framed: it can neither redirect nor walk elsewhere and go on', async () => {
  const app = await mountPage(`${origin}/redirect`);
  await shakeHands(app);
  await eventually(async () =>
    (await app.sandboxMessages('violation')).map(({ directive }) => directive),
  ).toContain('frame-src');
  const walking = await mountPage(`${origin}/ready`);
  await shakeHands(walking);
  const frame = await findSite(`${origin}/ready`);
  await frame.evaluate((url) => location.assign(url), `${world.evil}/away`).catch(() => undefined);
  await eventually(async () =>
    (await walking.sandboxMessages('violation')).map(({ directive }) => directive),
  ).toContain('frame-src');
  expect(world.hits).toEqual([]);
});

test('a frame that shows another page of the site goes on, and its neighbours inside are not heard', async () => {
  const app = await mountPage(`${origin}/ready`);
  await shakeHands(app);
  const frame = await findSite(`${origin}/ready`);
  await frame.evaluate((html) => {
    const nested = document.createElement('iframe');
    nested.srcdoc = html;
    document.body.append(nested);
  }, `<script>for (const target of [parent.parent, parent.parent.parent, top]) target.postMessage({ type: 'tool', payload: { toolName: 'forged' } }, '*'); parent.nestedRan = true;</script>`);
  await eventually(() => frame.evaluate(() => Reflect.get(window, 'nestedRan'))).toBe(true);
  await frame.evaluate(() => location.assign('/second'));
  const second = await findSite(`${origin}/second`);
  await ask(second, 'prompt', { prompt: 'Hi' }, 'p');
  expect(await answer(app, 'ui/message')).toMatchObject({ content: [{ text: 'Hi' }] });
  await eventually(() => heard(second, 'ui-message-response')).toHaveLength(1);
  expect(await sent(app, 'tools/call')).toEqual([]);
});

test.each([
  'javascript:parent.postMessage({type:"tool",payload:{toolName:"x"}},"*")',
  'file:///etc/passwd',
  'data:text/html,<p>x',
  'https://user:secret@example.com/',
  'nonsense',
  '',
])('the address %j is shown to nobody, and named', async (url) => {
  const app = await mountApp(page, world, '', { family: 'mcp-ui', csp: { frameDomains: [origin] } }, { url });
  await eventually(() => app.sandboxMessages('script-error')).toEqual([
    { message: 'The address of the app is not an http or https address.' },
  ]);
  expect(await (await app.guest()).evaluate(() => document.querySelectorAll('iframe').length)).toBe(0);
  expect(await sent(app, 'tools/call')).toEqual([]);
});

test('an address whose origin nobody consented to stays blank, and the block is told', async () => {
  const app = await mountPage(`${world.evil}/page`, [origin]);
  await shakeHands(app);
  await eventually(async () =>
    (await app.sandboxMessages('violation')).map(({ directive }) => directive),
  ).toEqual(['frame-src']);
  expect(world.hits).toEqual([]);
});

test('the opaque variants frame nothing, whatever was asked', async () => {
  const csp = { frameDomains: [world.evil] };
  const apps = [
    await mountOpaque(
      page,
      world,
      '',
      { family: 'mcp-ui', hostOrigin: world.hostOrigin, csp },
      { url: `${world.evil}/page` },
    ),
    await mountStatic(page, world, '', csp, {
      hostOrigin: world.hostOrigin,
      params: { family: 'mcp-ui', url: `${world.evil}/page` },
    }),
  ];
  for (const app of apps) {
    await shakeHands(app);
    await eventually(
      async () => new Set((await app.sandboxMessages('violation')).map(({ directive }) => directive)),
    ).toEqual(new Set(['frame-src']));
  }
  expect(world.hits).toEqual([]);
});

test('other families do not frame an address they are handed', async () => {
  for (const family of ['mcp-apps', 'openai'] as const) {
    const app = await mountApp(
      page,
      world,
      '<p>html</p>',
      { family, csp: { frameDomains: [origin] } },
      { url: `${origin}/ready` },
    );
    if (family === 'openai') await shakeHands(app);
    await eventually(async () => (await app.guest()).evaluate(() => document.body?.innerText)).toBe('html');
    expect(await (await app.guest()).evaluate(() => document.querySelectorAll('iframe').length)).toBe(0);
  }
});

import { expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.js';
import { eventually } from '../../support/eventually.js';
import {
  coversWindow,
  guestOf,
  heard,
  openPage,
  reaches,
  readReport,
  received,
  showHtml,
  useElementPage,
} from './support.js';
import { askHost, drawTwice, quietApp, toApp } from '../../support/guest.js';

const host = useElementPage();

const callingApp = toApp(`
  await bridge.initialize();
  const results = {};
  for (const name of ['shared', 'model_only', 'missing']) results[name] = await bridge.callTool(name, { from: 'app' });
  results.read = await bridge.request('resources/read', { uri: 'data://notes' });
  bridge.report(results);
`);

const sharedTools = [
  { name: 'shared', inputSchema: { type: 'object' }, _meta: { ui: { visibility: ['model', 'app'] } } },
  { name: 'model_only', inputSchema: { type: 'object' }, _meta: { ui: { visibility: ['model'] } } },
];

verifies(
  ['S5-01', 'S5-02', 'S5-03', 'S5-04', 'S5-06', 'S5-54'],
  'the page gives handlers, tools and context; the element reads, frames, and lets the app call what it may see',
  async () => {
    await host.page.evaluate(
      ([html, tools, base]) => {
        const app = document.createElement('mcp-app');
        window.app = app;
        const calls: unknown[] = [];
        window.kept['calls'] = calls;
        app.sandbox = { base };
        app.resourceUri = 'ui://given/app';
        app.hostContext = { locale: 'pt-PT' };
        // The tools are literals of the test above.
        app.tools = tools as typeof app.tools;
        app.on_resources_read = ({ uri }) => {
          calls.push(['read', uri]);
          const isApp = uri === 'ui://given/app';
          return {
            contents: [
              {
                uri,
                mimeType: isApp ? 'text/html;profile=mcp-app' : 'text/plain',
                text: isApp ? html : 'notes',
              },
            ],
          };
        };
        app.on_tools_call = ({ name, arguments: args }) => {
          calls.push(['call', name, args]);
          return { content: [{ type: 'text', text: `ran ${name}` }] };
        };
        document.body.append(app);
      },
      [callingApp, sharedTools, host.world.base] as const,
    );
    const refusal = (code: string) => ({ error: { code: -32000, data: { code } } });
    expect(await readReport(host.page)).toMatchObject({
      shared: { result: { content: [{ text: 'ran shared' }] } },
      model_only: refusal('tool-not-visible'),
      missing: refusal('tool-not-found'),
      read: { result: { contents: [{ text: 'notes' }] } },
    });
    expect(await host.page.evaluate(() => window.kept['calls'])).toEqual([
      ['read', 'ui://given/app'],
      ['call', 'shared', { from: 'app' }],
      ['read', 'data://notes'],
    ]);
    expect(await host.page.evaluate(() => window.app.getSnapshot()?.hostContext.locale)).toBe('pt-PT');
    // The frames are the element's own: an app on its own origin, behind the proxy.
    expect(await (await guestOf(host.page)).evaluate(() => location.origin)).toMatch(
      /^http:\/\/[a-z2-7]{52}\.casement\.localhost/,
    );
  },
);

test('a tool that stops being visible is refused from the next call on', async () => {
  await host.page.evaluate(
    ([html, tools, base]) => {
      const app = document.createElement('mcp-app');
      window.app = app;
      app.setAttribute('sandbox-base', base);
      app.resourceHtml = html;
      app.tools = tools as typeof app.tools;
      app.on_tools_call = ({ name }) => ({ content: [{ type: 'text', text: name }] });
      document.body.append(app);
    },
    [toApp('await bridge.initialize();'), sharedTools, host.world.base] as const,
  );
  await reaches(host.page, 'ready');
  const call = async () =>
    (await guestOf(host.page)).evaluate(() =>
      // The bridge is a global of the guest.
      (globalThis as unknown as { bridge: { callTool(name: string): Promise<object> } }).bridge.callTool(
        'shared',
      ),
    );
  expect(await call()).toMatchObject({ result: { content: [{ text: 'shared' }] } });
  await host.page.evaluate(() => (window.app.tools = []));
  expect(await call()).toMatchObject({ error: { data: { code: 'tool-not-found' } } });
});

verifies(['S5-07'], 'HTML that was fetched before is shown without any read', async () => {
  await host.page.evaluate(
    ([html, base]) => {
      const app = document.createElement('mcp-app');
      window.app = app;
      app.sandbox = { base };
      app.resourceUri = 'ui://given/app';
      app.resourceHtml = html;
      app.on_resources_read = () => {
        window.kept['wasRead'] = true;
        throw new Error('nobody should read');
      };
      document.body.append(app);
    },
    [quietApp, host.world.base] as const,
  );
  await reaches(host.page, 'ready');
  expect(await (await guestOf(host.page)).textContent('#shown')).toBe('guest');
  expect(await host.page.evaluate(() => window.kept['wasRead'])).toBeUndefined();
});

verifies(['S5-05'], 'the proxy file of the package, on any second origin, is sandbox enough', async () => {
  await host.page.close();
  host.page = await openPage(host.browser, host.world.localhostOrigin);
  await showHtml(host.page, quietApp, { 'static-proxy': `${host.world.staticOrigin}/static-proxy.html` });
  await reaches(host.page, 'ready');
  expect(await host.page.evaluate(() => window.app.getSnapshot()?.fallback?.kind)).toBe('static');
  expect(await (await guestOf(host.page)).textContent('#shown')).toBe('guest');
});

verifies(
  ['S5-65', 'S5-02'],
  'without handlers the reads and calls of an app are events, answered at once, later, or refused',
  async () => {
    await host.page.evaluate(
      ([html, tools, base]) => {
        const app = document.createElement('mcp-app');
        window.app = app;
        app.setAttribute('sandbox-base', base);
        app.setAttribute('resource-uri', 'ui://given/app');
        app.tools = tools as typeof app.tools;
        app.addEventListener('mcp-app-resources-read', (event) => {
          const { uri, caller, respond, refuse } = event.detail;
          if (caller === 'app') refuse('Not for apps.');
          else respond({ contents: [{ uri, mimeType: 'text/html;profile=mcp-app', text: html }] });
        });
        app.addEventListener('mcp-app-tools-call', (event) => {
          event.preventDefault();
          const { name, respond } = event.detail;
          setTimeout(() => respond({ content: [{ type: 'text', text: `later ${name}` }] }), 50);
        });
        document.body.append(app);
      },
      [callingApp, sharedTools, host.world.base] as const,
    );
    expect(await readReport(host.page)).toMatchObject({
      shared: { result: { content: [{ text: 'later shared' }] } },
      model_only: { error: { data: { code: 'tool-not-visible' } } },
      read: { error: { message: 'Not for apps.', data: { code: 'resource-refused' } } },
    });
    expect(await heard(host.page, 'tools-call')).toEqual([
      { name: 'shared', arguments: { from: 'app' }, caller: 'app' },
    ]);
    expect(await heard(host.page, 'resources-read')).toEqual([
      { uri: 'ui://given/app', caller: 'user' },
      { uri: 'data://notes', caller: 'app' },
    ]);
  },
);

test('a call nobody answers is refused, not left waiting', async () => {
  await showHtml(
    host.page,
    toApp(`await bridge.initialize(); bridge.report(await bridge.callTool('app'));`),
    {
      'sandbox-base': host.world.base,
    },
  );
  expect(await readReport(host.page)).toMatchObject({
    error: { code: -32000, data: { code: 'tool-not-found' } },
  });
});

test('properties set before the element is defined count, and no order of setting matters', async () => {
  await host.page.close();
  host.page = await openPage(host.browser, host.world.hostOrigin, { define: false });
  await host.page.evaluate(
    ([html, base]) => {
      const app = document.createElement('mcp-app');
      window.app = app;
      document.body.append(app);
      app.resourceHtml = html;
      app.tool = { name: 'app', inputSchema: { type: 'object' } };
      app.toolInput = { city: 'Lisbon' };
      window.casementElement.defineMcpApp();
      app.setAttribute('sandbox-base', base);
    },
    [quietApp, host.world.base] as const,
  );
  await reaches(host.page, 'ready');
  await eventually(() => received(host.page, 'ui/notifications/tool-input')).toEqual([
    { arguments: { city: 'Lisbon' } },
  ]);
});

test('changing attributes and properties of a running app never reloads its frame', async () => {
  await showHtml(host.page, quietApp, { 'sandbox-base': host.world.base, title: 'First' });
  await reaches(host.page, 'ready');
  await (await guestOf(host.page)).evaluate(() => (document.title = 'untouched'));
  await host.page.evaluate(() => {
    const { app } = window;
    app.setAttribute('resource-uri', 'ui://another/app');
    app.setAttribute('sandbox-base', 'http://elsewhere.localhost:1');
    app.title = 'Second';
    app.resourceHtml = '<p>another</p>';
    app.hostContext = { theme: 'dark' };
    app.setAttribute('display-mode', 'fullscreen');
  });
  await eventually(() => received(host.page, 'ui/notifications/host-context-changed')).toContainEqual(
    expect.objectContaining({ theme: 'dark' }),
  );
  await drawTwice(host.page);
  await askHost(await guestOf(host.page));
  expect(await (await guestOf(host.page)).title()).toBe('untouched');
  expect(await host.page.evaluate(() => window.app.getSnapshot()?.epoch)).toBe(1);
  expect(await host.page.evaluate(() => window.app.querySelector('iframe')?.title)).toBe('Second');
});

test('taken out by others the session ends, recorded; put back, a new one starts with what is known', async () => {
  await host.page.evaluate(
    ([html, base]) => {
      const app = document.createElement('mcp-app');
      window.app = app;
      const entries: unknown[] = [];
      window.kept['entries'] = entries;
      app.recording = {
        append(event) {
          entries.push(structuredClone(event));
          return { ...event, v: 1, seq: entries.length, t: 0, writer: 'page' };
        },
        entries: () => [],
        subscribe: () => () => undefined,
        evicted: 0,
        toJsonl: () => '',
      };
      app.sandbox = { base };
      app.resourceHtml = html;
      app.tool = { name: 'app', inputSchema: { type: 'object' } };
      app.toolInput = { city: 'Kyoto' };
      document.body.append(app);
    },
    [quietApp, host.world.base] as const,
  );
  await reaches(host.page, 'ready');
  const first = await host.page.evaluate(() => window.app.getSnapshot()?.session);
  // A move in one breath is a removal and an insertion: the frame cannot survive it.
  await host.page.evaluate(() => {
    const place = document.createElement('section');
    document.body.append(place);
    place.append(window.app);
  });
  await reaches(host.page, 'ready');
  await eventually(() => host.page.evaluate(() => window.app.getSnapshot()?.session)).not.toBe(first);
  await eventually(() => received(host.page, 'ui/notifications/tool-input')).toEqual([
    { arguments: { city: 'Kyoto' } },
  ]);
  expect(await host.page.locator('mcp-app iframe').count()).toBe(1);
  expect(await host.page.evaluate(() => window.kept['entries'])).toContainEqual(
    expect.objectContaining({
      session: first,
      kind: 'lifecycle',
      raw: { type: 'teardown-skipped', cause: 'removed-by-others' },
    }),
  );
  await host.page.evaluate(() => window.app.remove());
  expect(
    await host.page.evaluate(() => [window.app.dataset.appStatus, window.app.childElementCount]),
  ).toEqual(['closed', 0]);
});

test('a server port is all it takes; losing the server is told, and the app stays', async () => {
  await host.page.evaluate(
    ([html, tools, base]) => {
      const app = document.createElement('mcp-app');
      window.app = app;
      app.sandbox = { base };
      // The tool is the first literal of the list above.
      const [shared] = tools as NonNullable<typeof app.tools>;
      if (!shared) throw new Error('There is no tool.');
      const tool = { ...shared, _meta: { ui: { resourceUri: 'ui://port/app' } } };
      app.tool = tool;
      app.server = {
        name: 'port',
        identity: 'cG9ydA',
        listTools: () => Promise.resolve([tool]),
        callTool: ({ name }, { caller }) =>
          Promise.resolve({ content: [{ type: 'text', text: `${name} for ${caller}` }] }),
        readResource: ({ uri }) =>
          Promise.resolve({ contents: [{ uri, mimeType: 'text/html;profile=mcp-app', text: html }] }),
        listResources: () => Promise.resolve([]),
        subscribe(listener) {
          window.kept['lose'] = () => listener({ type: 'lost', reason: 'gone' });
          return () => undefined;
        },
      };
      document.body.append(app);
    },
    [callingApp, sharedTools, host.world.base] as const,
  );
  expect(await readReport(host.page)).toMatchObject({
    shared: { result: { content: [{ text: 'shared for app' }] } },
    missing: { error: { data: { code: 'tool-not-found' } } },
  });
  await host.page.evaluate(() => (window.kept['lose'] as () => void)());
  expect(await heard(host.page, 'failure')).toEqual([expect.objectContaining({ code: 'server-lost' })]);
  expect(await host.page.evaluate(() => window.app.dataset.appStatus)).toBe('ready');
  expect(await host.page.locator('mcp-app [data-app-error]').count()).toBe(0);
});

test('an element can start in another mode, unless the app does not know it', async () => {
  const saying = (modes: string) =>
    toApp(`
      const answer = await bridge.request('ui/initialize', {
        appInfo: { name: 'modes', version: '1' }, appCapabilities: ${modes}, protocolVersion: '2026-01-26',
      });
      bridge.notify('ui/notifications/initialized', {});
      bridge.report(answer.result.hostContext.displayMode);
    `);
  const attributes = {
    'sandbox-base': host.world.base,
    'display-mode': 'fullscreen',
    'display-modes': 'inline',
  };
  await showHtml(host.page, saying('{}'), attributes);
  expect(await readReport(host.page)).toBe('fullscreen');
  expect(await coversWindow(host.page)).toBe(true);
  await host.page.evaluate(() => window.app.remove());
  await showHtml(host.page, saying(`{ availableDisplayModes: ['inline'] }`), attributes);
  expect(await readReport(host.page)).toBe('inline');
  expect(await host.page.evaluate(() => window.app.displayMode)).toBe('inline');
});

test('moveBefore, where the browser has it, keeps the app running', async () => {
  await showHtml(host.page, quietApp, { 'sandbox-base': host.world.base });
  await reaches(host.page, 'ready');
  const session = () => host.page.evaluate(() => window.app.getSnapshot()?.session);
  const before = await session();
  await host.page.evaluate(() => {
    const place = document.body.appendChild(document.createElement('section'));
    // Not in the DOM types yet.
    (place as unknown as { moveBefore(node: Node, child: null): void }).moveBefore(window.app, null);
  });
  await drawTwice(host.page);
  // The host still answers it.
  await askHost(await guestOf(host.page));
  expect([await session(), await host.page.evaluate(() => window.app.dataset.appStatus)]).toEqual([
    before,
    'ready',
  ]);
});

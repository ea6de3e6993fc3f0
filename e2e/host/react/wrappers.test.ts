import type { MCPAppsRendererProps, SandboxedIframeHandle } from '@casement/react/compat';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.js';
import { quietApp, toApp } from '../../support/guest.js';
import { eventually } from '../../support/eventually.js';
import { guestOf, received, seen, useReactPage } from './support.js';

const host = useReactPage();

verifies(
  ['S1-26', 'S1-27', 'S1-28', 'S1-30', 'S1-31', 'S1-32'],
  'SandboxedIframe: no page yet, then one; its messages without the sandbox’s own; a ref that reaches it',
  async () => {
    await host.page.evaluate((base) => {
      const { createElement, createRef, createRoot, SandboxedIframe, StrictMode } = window.rx;
      const ref = createRef<SandboxedIframeHandle>();
      const messages: unknown[] = (window.seen['messages'] = []);
      const ready: unknown[] = (window.seen['ready'] = []);
      const root = createRoot(document.body.appendChild(document.createElement('main')));
      const show = (html: string | null, more: object = {}) =>
        root.render(
          createElement(
            StrictMode,
            null,
            createElement(SandboxedIframe, {
              ref,
              html,
              target: { base },
              className: 'mine',
              style: { height: '120px' },
              onProxyReady: () => ready.push(true),
              onMessage: ({ data }) => messages.push(data),
              ...more,
            }),
          ),
        );
      Object.assign(window, { show, handle: ref });
      show(null);
    }, host.world.base);
    await eventually(() => seen(host.page, 'ready')).toHaveLength(1);
    expect(await seen(host.page, 'messages')).toEqual([]);
    const frame = host.page.locator('iframe.mine');
    expect(await frame.getAttribute('title')).toBe('Sandboxed Content');
    expect(await frame.evaluate((element) => element.clientHeight)).toBe(120);
    const show = (html: string, more: object = {}) =>
      host.page.evaluate(
        ([text, given]) =>
          (window as unknown as { show(html: string, more: object): void }).show(text, given),
        [html, more] as const,
      );
    await show(`<script>
      addEventListener('message', ({ data }) => parent.postMessage({ jsonrpc: '2.0', method: 'heard', params: data.params }, '*'));
      parent.postMessage('not json-rpc', '*');
      parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-violation', params: {} }, '*');
      parent.postMessage({ jsonrpc: '2.0', method: 'hello', params: { form: document.createElement('form') !== null } }, '*');
    </script>`);
    await eventually(() => seen(host.page, 'messages')).toEqual([
      { jsonrpc: '2.0', method: 'hello', params: { form: true } },
    ]);
    await host.page.evaluate(() =>
      (
        window as unknown as {
          handle: { current: { postMessage(data: unknown): void } };
        }
      ).handle.current.postMessage({ jsonrpc: '2.0', method: 'ask', params: { n: 1 } }),
    );
    await eventually(() => seen(host.page, 'messages')).toContainEqual({
      jsonrpc: '2.0',
      method: 'heard',
      params: { n: 1 },
    });
    // Another page, another title: the same place, a new frame.
    await show(`<script>parent.postMessage({ jsonrpc: '2.0', method: 'other' }, '*')</script>`, {
      title: 'Second',
    });
    await eventually(() => seen(host.page, 'messages')).toContainEqual({ jsonrpc: '2.0', method: 'other' });
    expect(await host.page.locator('iframe').count()).toBe(1);
    expect(await frame.getAttribute('title')).toBe('Second');
    expect(host.errors).toEqual([]);
  },
);

test('SandboxedIframe: flags can be taken away, never added', async () => {
  await host.page.evaluate((base) => {
    const { createElement, createRoot, McpHostProvider, SandboxedIframe } = window.rx;
    const frames = ['allow-scripts allow-popups allow-top-navigation', 'allow-scripts allow-forms'];
    createRoot(document.body).render(
      createElement(
        McpHostProvider,
        { value: { sandbox: { base }, toServer: () => Promise.reject(new Error('none')) as never } },
        frames.map((sandbox) =>
          createElement(SandboxedIframe, { key: sandbox, html: null, sandbox, onMessage: () => undefined }),
        ),
      ),
    );
  }, host.world.base);
  const flags = () =>
    host.page.locator('iframe').evaluateAll((list) => list.map((frame) => frame.getAttribute('sandbox')));
  await eventually(flags).toEqual([
    'allow-scripts allow-same-origin',
    'allow-scripts allow-same-origin allow-forms',
  ]);
});

/** Renders an MCPAppsRenderer that can be rendered again with other props. */
const renderS1 = (html: string) =>
  host.page.evaluate(
    ([text, base]) => {
      const { createElement, createRoot, McpHostProvider, MCPAppsRenderer, toServer } = window.rx;
      const list = (name: string): unknown[] => (window.seen[name] ??= []);
      const server = toServer({ base, html: text });
      const tools = [{ name: 'show', inputSchema: { type: 'object' as const } }];
      const value = {
        sandbox: { base },
        toServer: (id: string) => {
          list('servers').push(id);
          return { ...server, listTools: () => Promise.resolve(tools) };
        },
      };
      const root = createRoot(document.body.appendChild(document.createElement('main')));
      let props: MCPAppsRendererProps = {
        serverId: 'weather',
        toolCallId: 'call-1',
        toolName: 'show',
        resourceUri: 'ui://contract/app',
        toolMetadata: { 'ui/resourceUri': 'ui://contract/app' },
        onSendFollowUp: (said) => list('said').push(said),
        onCallTool: async (name, params) => {
          list('calls').push([name, params]);
          if (params['fail']) throw new Error('the oven is cold');
          return { content: [{ type: 'text', text: 'called' }] };
        },
        onRequestPip: (id) => {
          list('pip').push(['request', id]);
          render({ pipWidgetId: id });
        },
        onExitPip: (id) => {
          list('pip').push(['exit', id]);
          render({ pipWidgetId: null });
        },
      };
      const render = (changes: object): void => {
        props = { ...props, ...changes };
        root.render(createElement(McpHostProvider, { value }, createElement(MCPAppsRenderer, props)));
      };
      Object.assign(window, { render });
      render({});
    },
    [html, host.world.base] as const,
  );

const render = (changes: object) =>
  host.page.evaluate((given) => (window as unknown as { render(p: object): void }).render(given), changes);

/** Presses until it counts: an answer is taken a moment after the question came. */
const answerQuestion = async (text: string, name: string): Promise<void> => {
  const button = host.page
    .getByRole('dialog')
    .filter({ hasText: text })
    .getByRole('button', { name, exact: true });
  await button.waitFor();
  await eventually(async () => {
    await button.click({ timeout: 1_000 }).catch(() => undefined);
    return button.count();
  }).toBe(0);
};

const status = () => host.page.locator('[data-app-status]').getAttribute('data-app-status');

verifies(
  ['S1-13', 'S1-40', 'S1-41', 'S1-42', 'S1-43', 'S1-44', 'S1-45'],
  'MCPAppsRenderer: server by id, call and tool by props; follow-ups and calls go to its callbacks',
  async () => {
    await renderS1(
      toApp(`
        const notices = () => bridge.received.filter(({ method }) => method?.startsWith('ui/notifications/tool-'));
        await bridge.initialize();
        await bridge.request('ui/message', { role: 'user', content: [{ type: 'text', text: 'and tomorrow?' }] });
        bridge.report([await bridge.callTool('show', { a: 1 }), await bridge.callTool('show', { fail: true })]);
      `),
    );
    await eventually(status).toBe('ready');
    // Nothing is handed over before the person said so.
    expect(await seen(host.page, 'said')).toEqual([]);
    await answerQuestion('and tomorrow?', 'Send');
    expect(await seen(host.page, 'servers')).toContain('weather');
    await render({ toolState: 'input-streaming', toolInput: { city: 'Ky' } });
    await eventually(() => received(host.page, 'ui/notifications/tool-input-partial')).toEqual([
      { arguments: { city: 'Ky' } },
    ]);
    await render({ toolState: 'input-available', toolInput: { city: 'Kyoto' } });
    await eventually(() => received(host.page, 'ui/notifications/tool-input')).toEqual([
      { arguments: { city: 'Kyoto' } },
    ]);
    await render({ toolState: 'output-available', toolOutput: { temperature: 21 } });
    await eventually(() => received(host.page, 'ui/notifications/tool-result')).toEqual([
      expect.objectContaining({ structuredContent: { temperature: 21 } }),
    ]);
    const guest = await guestOf(host.page);
    await guest.waitForSelector('#report[data-done]', { state: 'attached' });
    expect(JSON.parse((await guest.textContent('#report')) ?? '')).toMatchObject([
      { result: { content: [{ text: 'called' }] } },
      // The page's own words stay with the page.
      { error: { code: -32000, message: expect.not.stringContaining('the oven is cold') } },
    ]);
    expect(await seen(host.page, 'said')).toEqual(['and tomorrow?']);
    expect(await seen(host.page, 'calls')).toEqual([
      ['show', { a: 1 }],
      ['show', { fail: true }],
    ]);
    expect(await host.page.locator('iframe').getAttribute('title')).toBe('MCP App: show');
  },
);

verifies(['S1-42'], 'MCPAppsRenderer: a call that failed is told as a failed result', async () => {
  await renderS1(quietApp);
  await eventually(status).toBe('ready');
  await render({ toolState: 'output-error', toolInput: {}, toolOutput: 'no such city' });
  await eventually(() => received(host.page, 'ui/notifications/tool-result')).toEqual([
    { content: [{ type: 'text', text: 'no such city' }], isError: true },
  ]);
});

verifies(
  ['S1-47'],
  'MCPAppsRenderer: picture-in-picture has one owner, whom the page names and the app asks for',
  async () => {
    await renderS1(
      toApp(`
        await bridge.initialize();
        document.body.appendChild(document.createElement('button')).onclick =
          async () => bridge.report(await bridge.request('ui/request-display-mode', { mode: 'pip' }));
      `),
    );
    await eventually(status).toBe('ready');
    const mode = () => host.page.locator('[data-display-mode]').getAttribute('data-display-mode');
    expect(await mode()).toBe('inline');
    await (await guestOf(host.page)).click('button');
    await eventually(mode).toBe('pip');
    expect(await seen(host.page, 'pip')).toEqual([['request', 'call-1']]);
    const guest = await guestOf(host.page);
    await guest.waitForSelector('#report[data-done]', { state: 'attached' });
    expect(JSON.parse((await guest.textContent('#report')) ?? '')).toMatchObject({ result: { mode: 'pip' } });
    // Another app becomes the owner: this one goes back without being asked.
    await render({ pipWidgetId: 'call-2' });
    await eventually(mode).toBe('inline');
    expect(await seen(host.page, 'pip')).toHaveLength(1);
    // The page names it again, and the person closes it.
    await render({ pipWidgetId: 'call-1' });
    await eventually(mode).toBe('pip');
    await host.page.getByRole('button', { name: 'Close' }).click();
    await eventually(mode).toBe('inline');
    await eventually(() => seen(host.page, 'pip')).toContainEqual(['exit', 'call-1']);
  },
);

verifies(['S1-14'], 'the host above may draw apps with another component, at one place', async () => {
  await host.page.evaluate((base) => {
    const { createElement, createRoot, McpHostProvider, MCPAppsRenderer, toServer } = window.rx;
    const Renderer = ({ resourceUri, server }: { resourceUri?: string; server: { name: string } }) =>
      createElement('output', null, `${resourceUri} of ${server.name}`);
    const server = toServer({ base, html: '' });
    createRoot(document.body).render(
      createElement(
        McpHostProvider,
        { value: { sandbox: { base }, toServer: () => server, Renderer } },
        createElement(MCPAppsRenderer, {
          serverId: 'any',
          toolCallId: '1',
          toolName: 'show',
          resourceUri: 'ui://contract/app',
        }),
      ),
    );
  }, host.world.base);
  expect(await host.page.locator('output').textContent()).toBe('ui://contract/app of contract server');
  expect(await host.page.locator('iframe').count()).toBe(0);
});

verifies(
  ['S2-04'],
  'McpAppRenderer shows a resource, and one function carries all to its server',
  async () => {
    const app = toApp(`
    await bridge.initialize();
    bridge.report([
      (await bridge.callTool('lookup', { q: 1 })).result,
      (await bridge.request('resources/read', { uri: 'data://notes' })).result,
    ]);
  `);
    await host.page.evaluate(
      ([html, base]) => {
        const { createElement, createRoot, McpAppRenderer, StrictMode } = window.rx;
        const asked: unknown[] = (window.seen['asked'] = []);
        const answers: Record<string, object> = {
          'tools/list': { tools: [{ name: 'lookup', inputSchema: { type: 'object' } }] },
          'tools/call': { content: [{ type: 'text', text: 'found' }] },
          'resources/read': { contents: [{ uri: 'data://notes', text: 'notes' }] },
        };
        createRoot(document.body).render(
          createElement(
            StrictMode,
            null,
            createElement(McpAppRenderer, {
              sandbox: { base },
              resource: { uri: 'ui://s2/app', mimeType: 'text/html;profile=mcp-app', text: html },
              toolName: 'lookup',
              toolInput: { q: 1 },
              onMcpRequest: (method) => {
                asked.push(method);
                return answers[method];
              },
            }),
          ),
        );
      },
      [app, host.world.base] as const,
    );
    const guest = await guestOf(host.page);
    await guest.waitForSelector('#report[data-done]', { state: 'attached' });
    expect(JSON.parse((await guest.textContent('#report')) ?? '')).toMatchObject([
      { content: [{ text: 'found' }] },
      { contents: [{ text: 'notes' }] },
    ]);
    await eventually(() => received(host.page, 'ui/notifications/tool-input')).toEqual([
      { arguments: { q: 1 } },
    ]);
    expect(await seen(host.page, 'asked')).toEqual(
      expect.arrayContaining(['tools/list', 'tools/call', 'resources/read']),
    );
  },
);

test('useSandboxBridge gives the place, the app and what is known of it', async () => {
  await host.page.evaluate(
    ([html, base]) => {
      const { createElement, createRoot, useSandboxBridge } = window.rx;
      const Bridge = () => {
        const { containerRef, snapshot } = useSandboxBridge({
          sandbox: { base },
          resource: { uri: 'ui://s2/app', mimeType: 'text/html;profile=mcp-app', text: html },
        });
        return createElement(
          'section',
          null,
          createElement('output', null, snapshot?.status),
          createElement('div', { ref: containerRef }),
        );
      };
      createRoot(document.body).render(createElement(Bridge));
    },
    [quietApp, host.world.base] as const,
  );
  await eventually(() => host.page.locator('output').textContent()).toBe('ready');
});

test('a follow-up that the person does not want is not handed over, and only the text they read is', async () => {
  await renderS1(
    toApp(`
      await bridge.initialize();
      const picture = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };
      const say = (...content) => bridge.request('ui/message', { role: 'user', content });
      const text = (words) => ({ type: 'text', text: words });
      bridge.report([await say(text('buy it')), await say(picture), await say(text('look'), picture)]);
    `),
  );
  await answerQuestion('buy it', 'Cancel');
  await host.page.getByRole('dialog').getByText('look').waitFor();
  expect(await host.page.getByRole('dialog').getByText('picture').count()).toBe(0);
  await answerQuestion('look', 'Send');
  const report = async () =>
    JSON.parse((await (await guestOf(host.page)).textContent('#report')) || '[]') as unknown;
  await eventually(report).toMatchObject([
    { result: { isError: true } },
    { result: { isError: true } },
    { result: {} },
  ]);
  expect(await seen(host.page, 'said')).toEqual(['look']);
});

test('the states of a call that is asked about tell the app its arguments, and a denied one that no result will come', async () => {
  await renderS1(toApp('await bridge.initialize();'));
  await eventually(status).toBe('ready');
  const toolInput = { city: 'Kyoto' };
  await render({ toolState: 'approval-requested', toolInput, toolOutput: 'not yet' });
  await eventually(() => received(host.page, 'ui/notifications/tool-input')).toEqual([
    { arguments: toolInput },
  ]);
  await render({ toolState: 'approval-responded' });
  expect(await received(host.page, 'ui/notifications/tool-result')).toEqual([]);
  await render({ toolState: 'output-denied' });
  await eventually(() => received(host.page, 'ui/notifications/tool-cancelled')).toEqual([
    { reason: 'The call was denied.' },
  ]);
  expect(await received(host.page, 'ui/notifications/tool-result')).toEqual([]);
  expect(await received(host.page, 'ui/notifications/tool-input')).toHaveLength(1);
});

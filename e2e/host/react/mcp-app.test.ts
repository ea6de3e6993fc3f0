import type { MountedApp } from '@casement/host';
import type { Recording } from '@casement/protocol';
import { expect, test } from 'vitest';
import { quietApp, toApp } from '../../support/guest.js';
import { eventually } from '../../support/eventually.js';
import { guestOf, received, seen, useReactPage } from './support.js';

const host = useReactPage();

const status = () => host.page.locator('[role="group"]').getAttribute('data-app-status');

/** Renders an McpApp and keeps what is needed to render it again. */
const renderApp = (html: string, wrap: 'strict' | 'plain' = 'strict') =>
  host.page.evaluate(
    ([text, base, mode]) => {
      const { createElement, createRoot, McpApp, StrictMode, shownTool, toServer } = window.rx;
      const spec = { base, html: text };
      const server = toServer(spec);
      const reads: unknown[] = (window.seen['reads'] = []);
      const root = createRoot(document.body.appendChild(document.createElement('main')));
      const counted = {
        ...server,
        readResource: (...read: Parameters<typeof server.readResource>) => {
          reads.push(read[0].uri);
          return server.readResource(...read);
        },
      };
      const sessions = new Set<string>();
      const recording: Recording = {
        append(event) {
          sessions.add(event.session);
          window.seen['sessions'] = [...sessions];
          return { ...event, v: 1, seq: 0, t: 0, writer: 'page' };
        },
        entries: () => [],
        subscribe: () => () => undefined,
        evicted: 0,
        toJsonl: () => '',
      };
      const render = (props: object = {}) =>
        root.render(
          createElement(
            mode === 'strict' ? StrictMode : 'div',
            null,
            createElement(McpApp, {
              sandbox: { base },
              server: counted,
              tool: shownTool,
              recording,
              onLog: () => undefined,
              ...props,
            }),
          ),
        );
      Object.assign(window, { render, root });
      render();
    },
    [html, host.world.base, wrap] as const,
  );

const render = (props: object) =>
  host.page.evaluate((given) => (window as unknown as { render(p: object): void }).render(given), props);

test('StrictMode rehearses the end of every effect: still one session, one read and one frame', async () => {
  await renderApp(quietApp);
  await eventually(status).toBe('ready');
  expect(await host.page.locator('iframe').count()).toBe(1);
  expect(await seen(host.page, 'reads')).toHaveLength(1);
  expect(await seen(host.page, 'sessions')).toHaveLength(1);
  expect(await (await guestOf(host.page)).textContent('#shown')).toBe('guest');
  expect(host.errors).toEqual([]);
});

test('rendering again with new objects and callbacks changes nothing that runs; the last callback is called', async () => {
  await renderApp(
    toApp(`
      await bridge.initialize();
      document.body.appendChild(document.createElement('button')).onclick =
        () => bridge.notify('notifications/message', { level: 'info', data: 'pressed' });
    `),
  );
  await eventually(status).toBe('ready');
  await (await guestOf(host.page)).evaluate(() => (document.title = 'untouched'));
  for (const name of ['first', 'second']) {
    await host.page.evaluate((key) => {
      const { render: again } = window as unknown as { render(p: object): void };
      const list = (window.seen[key] = [] as unknown[]);
      again({
        toolInput: { city: 'Lisbon' },
        hostContext: { locale: 'fi-FI' },
        onLog: ({ data }: { data: unknown }) => list.push(data),
      });
    }, name);
  }
  await eventually(() => received(host.page, 'ui/notifications/tool-input')).toEqual([
    { arguments: { city: 'Lisbon' } },
  ]);
  await eventually(() => received(host.page, 'ui/notifications/host-context-changed')).toEqual([
    { locale: 'fi-FI' },
  ]);
  await (await guestOf(host.page)).click('button');
  await eventually(() => seen(host.page, 'second')).toEqual(['pressed']);
  expect(await seen(host.page, 'first')).toEqual([]);
  expect(await (await guestOf(host.page)).title()).toBe('untouched');
  expect(await seen(host.page, 'reads')).toHaveLength(1);
});

test('another resource is another app: the old one is asked to stop, the new one takes its place', async () => {
  await renderApp(quietApp);
  await eventually(status).toBe('ready');
  await render({ resourceUri: 'ui://contract/other' });
  await eventually(() => seen(host.page, 'reads')).toEqual(['ui://contract/app', 'ui://contract/other']);
  await eventually(status).toBe('ready');
  await eventually(() => host.page.locator('iframe').count()).toBe(1);
});

test('unmounted, the app keeps its frame out of sight until it has saved', async () => {
  await renderApp(
    toApp(`
      bridge.answers['ui/resource-teardown'] = () => undefined;
      addEventListener('message', ({ data }) => {
        if (data.method === 'ui/resource-teardown')
          setTimeout(() => bridge.post({ jsonrpc: '2.0', id: data.id, result: {} }), 200);
      });
      await bridge.initialize();
    `),
  );
  await eventually(status).toBe('ready');
  const after = await host.page.evaluate(() => {
    (window as unknown as { root: { unmount(): void } }).root.unmount();
    const frame = document.querySelector('iframe');
    const box = frame?.parentElement;
    return {
      inReact: document.querySelector('main')?.childElementCount,
      isThere: frame !== null,
      visibility: box && getComputedStyle(box).visibility,
    };
  });
  expect(after).toEqual({ inReact: 0, isThere: true, visibility: 'hidden' });
  await eventually(() => host.page.locator('iframe').count()).toBe(0);
  expect(await host.page.evaluate(() => document.querySelectorAll('body > div').length)).toBe(0);
});

test('hidden by a Suspense boundary, an app goes on where it was', async () => {
  await host.page.evaluate(
    ([html, base]) => {
      const { createElement, createRoot, McpApp, shownTool, Suspense, toServer, use } = window.rx;
      const server = toServer({ base, html });
      const Late = ({ promise }: { promise?: Promise<string> }) => (promise ? use(promise) : 'now');
      const root = createRoot(document.body.appendChild(document.createElement('main')));
      const render = (promise?: Promise<string>) =>
        root.render(
          createElement(
            Suspense,
            { fallback: 'waiting' },
            createElement(McpApp, { sandbox: { base }, server, tool: shownTool }),
            createElement(Late, promise ? { promise } : {}),
          ),
        );
      render();
      Object.assign(window, {
        hide: () => {
          let done = (_text: string): void => undefined;
          render(new Promise<string>((resolve) => (done = resolve)));
          Object.assign(window, { show: () => done('later') });
        },
      });
    },
    [quietApp, host.world.base] as const,
  );
  await eventually(status).toBe('ready');
  await (await guestOf(host.page)).evaluate(() => (document.title = 'untouched'));
  await host.page.evaluate(() => (window as unknown as { hide(): void }).hide());
  await host.page.getByText('waiting').waitFor();
  await host.page.evaluate(() => (window as unknown as { show(): void }).show());
  await host.page.getByText('later').waitFor();
  expect(await (await guestOf(host.page)).title()).toBe('untouched');
  expect(await status()).toBe('ready');
});

test('a ref has the controls, and a function as fallback decides about the whole place', async () => {
  await host.page.evaluate(
    ([html, base]) => {
      const { createElement, createRef, createRoot, McpApp, shownTool, toServer } = window.rx;
      const ref = createRef<MountedApp>();
      Object.assign(window, { app: ref });
      createRoot(document.body.appendChild(document.createElement('main'))).render(
        createElement(McpApp, {
          ref,
          sandbox: { base },
          server: toServer({ base, html }),
          tool: shownTool,
          className: 'mine',
          style: { width: '500px' },
          fallback: ({ code }) => createElement('b', { id: 'own' }, code),
        }),
      );
    },
    [quietApp, host.world.base] as const,
  );
  await eventually(status).toBe('ready');
  expect(await host.page.locator('.mine').evaluate((element) => element.clientWidth)).toBe(500);
  await host.page.evaluate(() =>
    (window as unknown as { app: { current: { stop(): void } } }).app.current.stop(),
  );
  expect(await host.page.locator('#own').textContent()).toBe('app-stopped');
  expect(await host.page.locator('[data-app-error]').count()).toBe(0);
});

test('ten apps at a time, mounted and unmounted again and again, leave nothing behind', async () => {
  await host.page.evaluate(
    ([html, base]) => {
      const { createElement, createRoot, McpApp, shownTool, StrictMode, toServer } = window.rx;
      const server = toServer({ base, html });
      const root = createRoot(document.body.appendChild(document.createElement('main')));
      const render = (count: number) => {
        const apps = Array.from({ length: count }, (_, key) =>
          createElement(McpApp, { key, sandbox: { base }, server, tool: shownTool, presence: 'always' }),
        );
        root.render(createElement(StrictMode, null, apps));
      };
      Object.assign(window, { render });
    },
    [quietApp, host.world.base] as const,
  );
  const show = (count: number) =>
    host.page.evaluate((given) => (window as unknown as { render(n: number): void }).render(given), count);
  for (let cycle = 0; cycle < 4; cycle += 1) {
    await show(10);
    await eventually(() => host.page.locator('[data-app-status="ready"]').count(), 50_000).toBe(10);
    await show(0);
    await eventually(() => host.page.locator('iframe').count()).toBe(0);
  }
  const left = () =>
    host.page.evaluate(() => ({
      body: [...document.body.children].map(({ tagName }) => tagName).filter((name) => name !== 'SCRIPT'),
      root: document.documentElement.childElementCount,
    }));
  await eventually(left).toEqual({ body: ['MAIN'], root: 2 });
}, 120_000);

test('font CSS is a prop, told to the app', async () => {
  await renderApp(quietApp);
  const fonts = "@import url('https://fonts.example.com/host.css');";
  await render({ fonts, resourceUri: 'ui://contract/other', onSnapshot: undefined });
  await eventually(async () => {
    const contexts = await (
      await guestOf(host.page)
    ).evaluate(() =>
      // The guest's bridge keeps what it got under this name.
      (
        globalThis as unknown as {
          bridge: { received: { result?: { hostContext?: { styles?: { css?: { fonts?: string } } } } }[] };
        }
      ).bridge.received.map(({ result }) => result?.hostContext?.styles?.css?.fonts),
    );
    return contexts.filter((told) => told !== undefined);
  }).toEqual([fonts]);
});

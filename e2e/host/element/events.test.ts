import { expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.js';
import { eventually } from '../../support/eventually.js';
import {
  coversWindow,
  guestOf,
  heard,
  reaches,
  readReport,
  received,
  showHtml,
  useElementPage,
} from './support.js';
import { quietApp, toApp } from '../../support/guest.js';

const host = useElementPage();

const show = (html: string, attributes: Record<string, string> = {}) =>
  showHtml(host.page, html, { 'sandbox-base': host.world.base, ...attributes });

verifies(
  ['S5-47', 'S5-51', 'S5-55'],
  'on mcp-app-initialize the page adds to the answer with sendInitializeResult',
  async () => {
    await host.page.evaluate(() => {
      document.addEventListener('mcp-app-initialize', () =>
        window.app.sendInitializeResult({
          hostInfo: { name: 'my chat', version: '7' },
          hostContext: { locale: 'ja-JP' },
        }),
      );
    });
    await show(toApp('bridge.report(await bridge.initialize());'));
    expect(await readReport(host.page)).toMatchObject({
      result: {
        protocolVersion: '2026-01-26',
        hostInfo: { name: 'my chat', version: '7' },
        hostContext: { locale: 'ja-JP', displayMode: 'inline' },
      },
    });
    expect(await heard(host.page, 'initialize')).toEqual([
      { appInfo: { name: 'guest', version: '1.0.0' }, appCapabilities: {} },
    ]);
  },
);

verifies(
  ['S5-56', 'S5-59'],
  'proxy, HTML and app report in this order, and the last one ends the loading state',
  async () => {
    await host.page.evaluate(() => {
      document.addEventListener('mcp-app-sandbox-proxy-ready', () => {
        window.kept['busyBefore'] = window.app.getAttribute('aria-busy');
      });
    });
    await show(quietApp);
    await reaches(host.page, 'ready');
    expect(await host.page.evaluate(() => window.heard.map(({ type }) => type))).toEqual([
      'mcp-app-sandbox-proxy-ready',
      'mcp-app-sandbox-resource-ready',
      'mcp-app-initialize',
      'mcp-app-initialized',
    ]);
    expect(await host.page.evaluate(() => window.kept['busyBefore'])).toBe('true');
    expect(await host.page.evaluate(() => window.app.hasAttribute('aria-busy'))).toBe(false);
  },
);

verifies(['S5-57'], 'a size report is an event, and the frame grows with it where it may', async () => {
  await show(
    toApp(
      `await bridge.initialize(); bridge.notify('ui/notifications/size-changed', { width: 300, height: 333 });`,
    ),
  );
  await eventually(() => heard(host.page, 'size-changed')).toEqual([{ height: 333 }]);
  const height = () => host.page.evaluate(() => window.app.querySelector('iframe')?.clientHeight);
  await eventually(height).toBe(333);
  // A height the page fixed stays, whatever the app says.
  await host.page.evaluate(() =>
    window.app.sendHostContextChanged({ containerDimensions: { width: 300, height: 200 } }),
  );
  await (
    await guestOf(host.page)
  ).evaluate(() => {
    const notify = (method: string, params: object): void =>
      parent.postMessage({ jsonrpc: '2.0', method, params }, '*');
    notify('ui/notifications/size-changed', { height: 900 });
    notify('notifications/message', { level: 'info', data: 'after the size' });
  });
  // What was sent later, on the same way, has arrived.
  await eventually(() => heard(host.page, 'notifications-message')).toHaveLength(1);
  expect(await height()).not.toBe(900);
  expect(await heard(host.page, 'size-changed')).toHaveLength(1);
});

test('a changed mode is an event, and the attribute follows whoever chose it', async () => {
  const asking = toApp(`
    await bridge.initialize();
    const button = document.body.appendChild(document.createElement('button'));
    button.onclick = () => void bridge.request('ui/request-display-mode', { mode: 'fullscreen' });
  `);
  await show(asking, { 'display-modes': 'inline fullscreen pip' });
  await reaches(host.page, 'ready');
  const attribute = () => host.page.evaluate(() => window.app.getAttribute('display-mode'));
  const changes = () => heard(host.page, 'display-mode-changed');
  await host.page.evaluate(() => {
    window.kept['attributes'] = [];
    window.app.addEventListener('mcp-app-display-mode-changed', () =>
      (window.kept['attributes'] as unknown[]).push(window.app.getAttribute('display-mode')),
    );
  });
  expect(await attribute()).toBe(null);
  expect(await changes()).toEqual([]);
  // The app, the user and the page.
  await (await guestOf(host.page)).click('button');
  await eventually(changes).toEqual([{ mode: 'fullscreen' }]);
  expect(await attribute()).toBe('fullscreen');
  await host.page.getByRole('button', { name: 'Close' }).click();
  await eventually(changes).toEqual([{ mode: 'fullscreen' }, { mode: 'inline' }]);
  expect(await attribute()).toBe('inline');
  await host.page.evaluate(() => (window.app.displayMode = 'pip'));
  expect(await changes()).toEqual([{ mode: 'fullscreen' }, { mode: 'inline' }, { mode: 'pip' }]);
  expect(await attribute()).toBe('pip');
  expect(await host.page.evaluate(() => window.kept['attributes'])).toEqual(['fullscreen', 'inline', 'pip']);
});

test('the attribute does not keep a mode that is refused, nor is it a wish for the next app', async () => {
  const answering = (modes: string) =>
    toApp(`await bridge.initialize({ capabilities: { availableDisplayModes: ${modes} } });`);
  const attribute = () => host.page.evaluate(() => window.app.getAttribute('display-mode'));
  await show(answering(`['inline', 'fullscreen']`), {
    'display-modes': 'inline fullscreen',
    'display-mode': 'pip',
  });
  await reaches(host.page, 'ready');
  await eventually(attribute).toBe('inline');
  await host.page.evaluate(() => window.app.setAttribute('display-mode', 'pip'));
  expect(await attribute()).toBe('inline');
  await host.page.evaluate(() => window.app.setAttribute('display-mode', 'fullscreen'));
  expect(await coversWindow(host.page)).toBe(true);
  // The page wished for this one, and for no other when the user left it.
  const putBack = async () => {
    await host.page.evaluate(() => {
      window.app.remove();
      document.body.append(window.app);
    });
    await reaches(host.page, 'ready');
  };
  await putBack();
  await eventually(() => coversWindow(host.page)).toBe(true);
  await host.page.getByRole('button', { name: 'Close' }).click();
  await putBack();
  expect(await attribute()).toBe(null);
  expect(await coversWindow(host.page)).toBe(false);
});

verifies(
  ['S5-58'],
  'a requested mode is checked, then asked for by event, then taken; refused it changes nothing',
  async () => {
    const asking = toApp(`
      await bridge.initialize();
      const button = document.body.appendChild(document.createElement('button'));
      const wishes = ['pip', 'fullscreen', 'fullscreen', 'inline'];
      const answers = [];
      button.onclick = async () => {
        answers.push(await bridge.request('ui/request-display-mode', { mode: wishes[answers.length] }));
        document.getElementById('report').textContent = JSON.stringify(answers.map(({ result }) => result?.mode));
      };
    `);
    await host.page.evaluate(() => {
      let count = 0;
      document.addEventListener('mcp-app-request-display-mode', (event) => {
        const { detail } = event as CustomEvent<{
          mode: 'inline';
          respond(mode: string): void;
          refuse(): void;
        }>;
        count += 1;
        if (count === 1) detail.refuse();
        if (count === 2) detail.respond(detail.mode);
      });
    });
    await show(asking, { 'display-modes': 'inline fullscreen' });
    await reaches(host.page, 'ready');
    const guest = await guestOf(host.page);
    const wish = async (expected: string[]) => {
      await guest.click('button');
      await eventually(() => guest.textContent('#report')).toBe(JSON.stringify(expected));
    };
    await wish(['inline']);
    expect(await heard(host.page, 'request-display-mode')).toEqual([]);
    await wish(['inline', 'inline']);
    await wish(['inline', 'inline', 'fullscreen']);
    expect(await host.page.evaluate(() => window.app.displayMode)).toBe('fullscreen');
    expect(await coversWindow(host.page)).toBe(true);
    await wish(['inline', 'inline', 'fullscreen', 'inline']);
    expect(await heard(host.page, 'request-display-mode')).toEqual([
      { mode: 'fullscreen', current: 'inline' },
      { mode: 'fullscreen', current: 'inline' },
      { mode: 'inline', current: 'fullscreen' },
    ]);
  },
);

verifies(['S5-53', 'S5-49'], 'tool notices go out by method, in order, and none without one', async () => {
  const notices = async () =>
    (await guestOf(host.page)).evaluate(() =>
      // The bridge is a global of the guest.
      (
        globalThis as unknown as { bridge: { received: { method?: string; params: unknown }[] } }
      ).bridge.received
        .filter(({ method }) => method?.startsWith('ui/notifications/tool-'))
        .map(({ method, params }) => [method?.replace('ui/notifications/', ''), params]),
    );
  await show(quietApp);
  await reaches(host.page, 'ready');
  expect(await notices()).toEqual([]);
  await host.page.evaluate(() => {
    window.app.sendToolInputPartial({ city: 'Li' });
    window.app.sendToolInput({ city: 'Lisbon' });
    window.app.sendToolResult({ content: [{ type: 'text', text: 'sunny' }] });
    window.app.sendToolInputPartial({ city: 'too late' });
  });
  await eventually(notices).toEqual([
    ['tool-input-partial', { arguments: { city: 'Li' } }],
    ['tool-input', { arguments: { city: 'Lisbon' } }],
    ['tool-result', { content: [{ type: 'text', text: 'sunny' }] }],
  ]);
  await host.page.evaluate(() => window.app.remove());
  await show(quietApp);
  await reaches(host.page, 'ready');
  await host.page.evaluate(() => window.app.sendToolCancelled('The user stopped it.'));
  await eventually(notices).toEqual([['tool-cancelled', { reason: 'The user stopped it.' }]]);
});

verifies(['S5-52'], 'sendHostContextChanged sends the fields that changed and no others', async () => {
  await show(quietApp);
  await reaches(host.page, 'ready');
  await host.page.evaluate(() => {
    window.app.sendHostContextChanged({ locale: 'fi-FI', platform: 'web' });
    window.app.sendHostContextChanged({ locale: 'fi-FI' });
  });
  await eventually(() => received(host.page, 'ui/notifications/host-context-changed')).toEqual([
    { locale: 'fi-FI' },
  ]);
});

verifies(
  ['S5-60', 'S5-53'],
  'teardown asks the app, waits for its answer, and only then takes the frame away',
  async () => {
    await show(
      toApp(`
        bridge.answers['ui/resource-teardown'] = () => undefined;
        addEventListener('message', ({ data }) => {
          if (data.method !== 'ui/resource-teardown') return;
          setTimeout(() => {
            bridge.notify('notifications/message', { level: 'info', data: { saved: data.params } });
            bridge.post({ jsonrpc: '2.0', id: data.id, result: {} });
          }, 150);
        });
        await bridge.initialize();
      `),
    );
    await reaches(host.page, 'ready');
    const wasThere = await host.page.evaluate(async () => {
      const ending = window.app.teardown('The chat was closed.');
      // Out of sight, but there: a frame that is removed has no window to answer with.
      const frame = document.querySelector('iframe') !== null;
      await ending;
      return frame && document.querySelector('iframe') === null;
    });
    expect(wasThere).toBe(true);
    expect(await heard(host.page, 'notifications-message')).toEqual([
      { level: 'info', data: { saved: { reason: 'The chat was closed.' } } },
    ]);
    expect(await host.page.evaluate(() => window.app.dataset.appStatus)).toBe('closed');
  },
);

verifies(
  ['S5-61'],
  'a link is an event: hosts on the list pass, others wait for the person, and only a yes opens',
  async () => {
    await host.page.evaluate(
      ([html, base]) => {
        const app = document.createElement('mcp-app');
        window.app = app;
        const opened: string[] = [];
        const asked: string[] = [];
        Object.assign(window.kept, { opened, asked });
        app.sandbox = { base };
        app.resourceHtml = html;
        app.policy = { openLink: (url) => opened.push(url) };
        app.addEventListener('mcp-app-open-link', ({ detail }) => {
          if (detail.host === 'known.example') return detail.respond(true);
          asked.push(detail.url);
          // Stands for a dialog: the person says yes to the first question and no to the second.
          detail.respond(new Promise((resolve) => setTimeout(() => resolve(asked.length === 1), 30)));
        });
        document.body.append(app);
      },
      [
        toApp(`
          const { result } = await bridge.initialize();
          const links = ['https://known.example/a', 'https://new.example/b', 'https://new.example/c'];
          const answers = [];
          for (const url of links) answers.push((await bridge.request('ui/open-link', { url })).result);
          bridge.report({ answers, offered: result.hostCapabilities.openLinks });
        `),
        host.world.base,
      ] as const,
    );
    expect(await readReport(host.page)).toEqual({ answers: [{}, {}, { isError: true }], offered: {} });
    expect(await host.page.evaluate(() => window.kept)).toEqual({
      opened: ['https://known.example/a', 'https://new.example/b'],
      asked: ['https://new.example/b', 'https://new.example/c'],
    });
  },
);

test('links and messages nobody answers for are not offered at all', async () => {
  await show(
    toApp(`
      const { result } = await bridge.initialize();
      const link = await bridge.request('ui/open-link', { url: 'https://new.example/' });
      bridge.report({ offered: Object.keys(result.hostCapabilities), code: link.error?.code });
    `),
  );
  expect(await readReport(host.page)).toEqual({
    offered: expect.not.arrayContaining(['openLinks', 'message']),
    code: -32601,
  });
});

verifies(
  ['S5-62', 'S5-63', 'S5-64'],
  'logs, messages and model context of an app arrive as events; a message is answered by the listener',
  async () => {
    await host.page.evaluate(
      ([html, base]) => {
        const app = document.createElement('mcp-app');
        window.app = app;
        app.sandbox = { base };
        app.resourceHtml = html;
        app.addEventListener('mcp-app-message', ({ detail }) => detail.respond(true));
        app.addEventListener('mcp-app-update-model-context', () => undefined);
        document.body.append(app);
      },
      [
        toApp(`
          await bridge.initialize();
          bridge.notify('notifications/message', { level: 'warning', logger: 'guest', data: 'careful' });
          const message = await bridge.request('ui/message', { role: 'user', content: [{ type: 'text', text: 'hi' }] });
          const context = await bridge.request('ui/update-model-context', { content: [{ type: 'text', text: 'seen' }] });
          bridge.report({ message: message.result, context: context.result });
        `),
        host.world.base,
      ] as const,
    );
    expect(await readReport(host.page)).toEqual({ message: {}, context: {} });
    expect(await heard(host.page, 'notifications-message')).toEqual([
      { level: 'warning', logger: 'guest', data: 'careful' },
    ]);
    const app = expect.objectContaining({ server: 'server' });
    expect(await heard(host.page, 'message')).toEqual([
      expect.objectContaining({ role: 'user', content: [{ type: 'text', text: 'hi' }], app }),
    ]);
    expect(await heard(host.page, 'update-model-context')).toEqual([
      { context: { content: [{ type: 'text', text: 'seen' }] }, app },
    ]);
  },
);

verifies(
  ['S5-50'],
  'the modes offered are those of page and app, and no other is granted, whoever asks',
  async () => {
    await show(
      toApp(`
        await bridge.request('ui/initialize', {
          appInfo: { name: 'modes', version: '1' },
          appCapabilities: { availableDisplayModes: ['inline', 'pip'] },
          protocolVersion: '2026-01-26',
        });
        bridge.notify('ui/notifications/initialized', {});
        document.body.appendChild(document.createElement('button')).onclick = async () =>
          bridge.report(await bridge.request('ui/request-display-mode', { mode: 'fullscreen' }));
      `),
      { 'display-modes': 'inline fullscreen' },
    );
    await reaches(host.page, 'ready');
    expect(await host.page.evaluate(() => window.app.getSnapshot()?.displayModes)).toEqual(['inline']);
    await (await guestOf(host.page)).click('button');
    expect(await readReport(host.page)).toMatchObject({ result: { mode: 'inline' } });
    expect(await heard(host.page, 'request-display-mode')).toEqual([]);
    await host.page.evaluate(() => (window.app.displayMode = 'fullscreen'));
    expect(await host.page.evaluate(() => window.app.displayMode)).toBe('inline');
  },
);

verifies(['S5-19', 'S5-48'], 'an app of the page itself has no tool, and hears of none', async () => {
  await host.page.evaluate(
    ([html, base]) => {
      const app = document.createElement('mcp-app');
      window.app = app;
      app.sandbox = { base };
      app.resourceHtml = html;
      app.toolInput = { city: 'nobody asked for' };
      document.body.append(app);
    },
    [toApp('bridge.report((await bridge.initialize()).result.hostContext);'), host.world.base] as const,
  );
  expect(await readReport(host.page)).not.toHaveProperty('toolInfo');
  await host.page.evaluate(() => {
    window.app.sendToolResult({ content: [] });
    window.app.sendHostContextChanged({ locale: 'fi-FI' });
  });
  await eventually(() => received(host.page, 'ui/notifications/host-context-changed')).toHaveLength(1);
  expect(await received(host.page, 'ui/notifications/tool-input')).toEqual([]);
  expect(await received(host.page, 'ui/notifications/tool-result')).toEqual([]);
});

test('the tools an app offers are told, and the page calls them through the element', async () => {
  await show(
    toApp(`
      bridge.answers['tools/list'] = () => ({ tools: [{ name: 'add', inputSchema: { type: 'object' } }] });
      bridge.answers['tools/call'] = ({ arguments: args }) =>
        ({ content: [{ type: 'text', text: String(args.a + args.b) }] });
      await bridge.request('ui/initialize', {
        appInfo: { name: 'tools', version: '1' }, appCapabilities: { tools: {} }, protocolVersion: '2026-01-26',
      });
      bridge.notify('ui/notifications/initialized', {});
    `),
  );
  await eventually(() => heard(host.page, 'tools-changed')).toEqual([
    { appTools: [expect.objectContaining({ tool: expect.objectContaining({ name: 'add' }) })] },
  ]);
  const answer = await host.page.evaluate(() => window.app.callAppTool('add', { a: 2, b: 3 }));
  expect(answer).toMatchObject({ content: [{ text: '5' }] });
});

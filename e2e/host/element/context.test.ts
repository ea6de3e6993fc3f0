import { styleVariableNames } from '@casement/protocol/start';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.js';
import { eventually } from '../../support/eventually.js';
import { addElement, guestOf, openPage, reaches, received, showHtml, useElementPage } from './support.js';
import { quietApp } from '../../support/guest.js';

const host = useElementPage();

const build = (options = {}) =>
  host.page.evaluate((given) => window.casementElement.buildMcpHostContext(given), options);

verifies(
  ['S5-66', 'S5-67', 'S5-68', 'S5-69', 'S5-70', 'S5-71', 'S5-72', 'S5-73', 'S5-74'],
  'buildMcpHostContext reads the page: room, language, zone, device, safe area and theme',
  async () => {
    await host.page.emulateMedia({ colorScheme: 'dark' });
    const intl = await host.page.evaluate(() => Intl.DateTimeFormat().resolvedOptions());
    expect(await build({ userAgent: 'my-chat/7' })).toEqual({
      containerDimensions: { width: 1280, maxHeight: 4000 },
      locale: intl.locale,
      timeZone: intl.timeZone,
      userAgent: 'my-chat/7',
      platform: 'web',
      deviceCapabilities: { touch: false, hover: true },
      safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 0 },
      theme: 'dark',
    });
    expect(await host.page.evaluate(() => document.documentElement.children.length)).toBe(2);
    // The page's own color-scheme counts more than the system's.
    await host.page.evaluate(() => (document.documentElement.style.colorScheme = 'light'));
    expect(await build()).toMatchObject({ theme: 'light', userAgent: 'casement/0.1.0' });
  },
);

verifies(['S5-72', 'S5-73'], 'touch and a notch are seen where there are any', async () => {
  const phone = await host.browser.newContext({
    hasTouch: true,
    isMobile: true,
    viewport: { width: 390, height: 800 },
  });
  const mobile = await phone.newPage();
  await mobile.goto(`${host.world.hostOrigin}/`);
  const session = await phone.newCDPSession(mobile);
  await session.send('Emulation.setSafeAreaInsetsOverride', { insets: { top: 47, bottom: 34 } });
  await host.page.close();
  host.page = mobile;
  await addElement(mobile);
  expect(await build()).toMatchObject({
    deviceCapabilities: { touch: true },
    safeAreaInsets: { top: 47, right: 0, bottom: 34, left: 0 },
  });
  await phone.close();
  host.page = await openPage(host.browser, host.world.hostOrigin);
});

verifies(
  ['S5-75'],
  'the standard style variables a page defines are in the context, its others are not',
  async () => {
    const [first = '', second = ''] = styleVariableNames;
    await host.page.evaluate(
      ([a, b]) => {
        document.documentElement.style.setProperty(a, ' #123456 ');
        document.documentElement.style.setProperty(b, 'red');
        document.documentElement.style.setProperty('--private', 'blue');
      },
      [first, second] as const,
    );
    expect((await build()).styles).toEqual({ variables: { [first]: '#123456', [second]: 'red' } });
  },
);

verifies(
  ['S5-77', 'S5-03'],
  'theme, variables and room change in the running app, without a new document',
  async () => {
    await showHtml(host.page, quietApp, { 'sandbox-base': host.world.base });
    await reaches(host.page, 'ready');
    await (await guestOf(host.page)).evaluate(() => (document.title = 'untouched'));
    const changes = () => received(host.page, 'ui/notifications/host-context-changed');
    await host.page.evaluate(() => (document.documentElement.style.colorScheme = 'dark'));
    await eventually(changes).toEqual([{ theme: 'dark' }]);
    const [variable = ''] = styleVariableNames;
    await host.page.evaluate((name) => document.body.style.setProperty(name, '#abcdef'), variable);
    await eventually(changes).toContainEqual({ styles: { variables: { [variable]: '#abcdef' } } });
    await host.page.evaluate(() => (window.app.style.width = '500px'));
    await eventually(changes).toContainEqual({ containerDimensions: { width: 500, maxHeight: 4000 } });
    // What the page said itself is not overwritten by what it looks like.
    await host.page.evaluate(() => (window.app.hostContext = { theme: 'light' }));
    await eventually(changes).toContainEqual({ theme: 'light' });
    const count = (await changes()).length;
    await host.page.evaluate(() => (document.documentElement.className = 'other'));
    // A later change, which is told, comes next.
    await host.page.evaluate(() => (window.app.style.width = '450px'));
    await eventually(async () => (await changes()).slice(count)).toEqual([
      { containerDimensions: { width: 450, maxHeight: 4000 } },
    ]);
    expect(await (await guestOf(host.page)).title()).toBe('untouched');
    expect(await host.page.evaluate(() => window.app.getSnapshot()?.epoch)).toBe(1);
  },
);

test('fonts are given by view, and the line about the policy is left out by policy', async () => {
  const lines: string[] = [];
  host.page.on('console', (message) => {
    if (message.type() === 'info') lines.push(message.text());
  });
  const fonts = "@import url('https://fonts.example.com/host.css');";
  const showWith = async (isLogged: boolean): Promise<void> => {
    await host.page.evaluate(
      ([html, base, css, logPolicy]) => {
        window.app?.remove();
        const app = document.createElement('mcp-app');
        window.app = app;
        app.setAttribute('sandbox-base', base);
        app.tool = { name: 'app', inputSchema: { type: 'object' } };
        app.resourceHtml = html;
        app.view = { fonts: css };
        app.policy = { logPolicy };
        document.body.append(app);
      },
      [quietApp, host.world.base, fonts, isLogged] as const,
    );
    await reaches(host.page, 'ready');
  };
  await showWith(false);
  expect(await host.page.evaluate(() => window.app.getSnapshot()?.hostContext.styles?.css?.fonts)).toBe(
    fonts,
  );
  expect(lines).toEqual([]);
  await showWith(true);
  expect(lines).toEqual([expect.stringContaining('MCP App ')]);
});

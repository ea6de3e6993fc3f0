import { styleVariableNames } from '@casement/protocol/start';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { eventually } from '../support/eventually.js';
import { page, useHostPage, world } from './fixture.js';
import { guestOf, reaches, received, recorded, show } from './support.js';
import { quietApp, toApp } from '../support/guest.js';

useHostPage();

const changes = () => received(page, 'ui/notifications/host-context-changed');

test('buildHostContext gives the whole context of a page', async () => {
  const built = await page.evaluate(() => window.hostModule.buildHostContext({ userAgent: 'my-chat/7' }));
  const { locale, timeZone } = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions());
  expect(built).toEqual({
    containerDimensions: { width: 900, maxHeight: 4000 },
    locale,
    timeZone,
    userAgent: 'my-chat/7',
    platform: 'web',
    deviceCapabilities: { touch: false, hover: true },
    safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 0 },
    theme: 'light',
  });
});

// Maps the variables into its own page as the guides of the spec say, with fallbacks of its own.
const styled = toApp(
  `
  const apply = ({ styles, theme }) => {
    const root = document.documentElement;
    if (theme) root.style.colorScheme = theme;
    for (const [name, value] of Object.entries(styles?.variables ?? {})) root.style.setProperty(name, value);
  };
  addEventListener('message', ({ data }) => {
    if (data.method === 'ui/notifications/host-context-changed') apply(data.params);
  });
  const { result } = await bridge.initialize();
  apply(result.hostContext);
  `,
  '#shown { color: var(--color-text-primary, rgb(1, 2, 3)); border-radius: var(--border-radius-md, 77px) }',
);

const look = async () =>
  (await guestOf(page)).evaluate(() => {
    const { color, borderTopLeftRadius } = getComputedStyle(
      document.querySelector('#shown') ?? document.body,
    );
    return [color, borderTopLeftRadius];
  });

verifies(
  ['S5-94', 'HOST-054', 'HOST-055'],
  'style variables reach the app, have values where the page has none, follow the theme and can be changed',
  async () => {
    await page.evaluate(() => document.body.style.setProperty('--border-radius-md', '21px'));
    // Without default styles an app has the page's variables and its own fallbacks.
    await show(page, { html: styled, base: world.base });
    await eventually(look).toEqual(['rgb(1, 2, 3)', '21px']);
    await page.evaluate(() => window.hostApps[0]?.app.close());
    await eventually(() => page.locator('iframe').count()).toBe(0);
    // With them every standard name has a value; those of the page win.
    await show(page, { html: styled, base: world.base, options: { defaultStyles: true } });
    await eventually(look).toEqual(['rgb(23, 32, 43)', '21px']);
    const told = await page.evaluate(
      () => window.hostApps[1]?.app.getSnapshot().hostContext.styles?.variables,
    );
    expect(Object.keys(told ?? {}).sort()).toEqual([...styleVariableNames].sort());
    // The same values are the other theme's, too.
    await page.emulateMedia({ colorScheme: 'dark' });
    await eventually(look).toEqual(['rgb(236, 239, 243)', '21px']);
    // Changed in the page, and by the embedder, in the running app.
    await page.evaluate(() => document.body.style.setProperty('--border-radius-md', '5px'));
    await eventually(look).toEqual(['rgb(236, 239, 243)', '5px']);
    await page.evaluate(() =>
      window.hostApps[1]?.app.sendHostContextChanged({
        styles: { variables: { '--color-text-primary': 'rgb(9, 9, 9)' } },
      }),
    );
    await eventually(async () => (await look())[0]).toBe('rgb(9, 9, 9)');
  },
);

verifies(['HOST-056'], 'fonts that the embedder gives are passed on as they are', async () => {
  const fonts = "@font-face { font-family: 'House'; src: url(https://fonts.example.com/house.woff2) }";
  const html = toApp(`
    const { result } = await bridge.initialize();
    bridge.report(result.hostContext.styles);`);
  await show(page, { html, base: world.base, options: { hostContext: { styles: { css: { fonts } } } } });
  const report = await (await guestOf(page)).waitForSelector('#report[data-done]', { state: 'attached' });
  expect(JSON.parse((await report.textContent()) ?? 'null')).toEqual({ css: { fonts } });
});

test('theme and room are told to the running app, each once and only when they differ', async () => {
  await show(page, { html: quietApp, base: world.base });
  await page.emulateMedia({ colorScheme: 'dark' });
  await eventually(changes).toEqual([{ theme: 'dark' }]);
  await page.evaluate(() => (document.documentElement.style.colorScheme = 'light'));
  await eventually(changes).toEqual([{ theme: 'dark' }, { theme: 'light' }]);
  await page.evaluate(() => {
    const { container } = window.hostApps[0] ?? {};
    if (container) container.style.width = '500px';
  });
  await eventually(changes).toContainEqual({ containerDimensions: { width: 500, maxHeight: 4000 } });
  const count = (await changes()).length;
  await page.evaluate(() => (document.documentElement.className = 'other'));
  // A later change, which is told, comes next.
  await page.evaluate(() => (document.documentElement.style.colorScheme = 'dark'));
  await eventually(async () => (await changes()).slice(count)).toEqual([{ theme: 'dark' }]);
});

const fonts = "@font-face { font-family: Host; src: url('https://fonts.example.com/host.woff2') }";
const toldFonts = () =>
  page.evaluate(() => window.hostApps[0]?.app.getSnapshot().hostContext.styles?.css?.fonts);

test('font CSS of the page is told to the app, beside variables and whatever else the page says', async () => {
  await page.evaluate(() => document.body.style.setProperty('--font-sans', 'Host'));
  await show(page, { html: quietApp, base: world.base, options: { fonts, defaultStyles: true } });
  await eventually(toldFonts).toBe(fonts);
  const styles = await page.evaluate(() => window.hostApps[0]?.app.getSnapshot().hostContext.styles);
  expect(styles?.variables?.['--font-sans']).toBe('Host');
  // What the embedder says of variables later takes no fonts away.
  await page.evaluate(() =>
    window.hostApps[0]?.app.sendHostContextChanged({ styles: { variables: { '--font-mono': 'Mono' } } }),
  );
  await eventually(changes).toContainEqual({
    styles: { variables: { '--font-mono': 'Mono' }, css: { fonts } },
  });
});

test('font CSS that is too long is left out and said in the recording', async () => {
  await show(page, { html: quietApp, base: world.base, options: { fonts: ' '.repeat(65_537) } });
  expect(await toldFonts()).toBeUndefined();
  expect(await recorded(page, 'finding')).toContainEqual({
    code: 'message-too-large',
    message: expect.stringContaining('65537 characters'),
    fix: expect.stringContaining('at most 65536'),
  });
});

test('the policy in force is one line in the console; off by option', async () => {
  const lines: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'info') lines.push(message.text());
  });
  const ui = { csp: { connectDomains: ['https://api.example.com'] } };
  await show(page, { html: quietApp, base: world.base, ui });
  await eventually(() => Promise.resolve(lines)).toEqual([
    expect.stringMatching(
      /^MCP App ui:\/\/weather\/app of weather: permissions none; policy default-src 'none'; .*connect-src https:\/\/api\.example\.com/,
    ),
  ]);
  // The same again is no news.
  await page.evaluate(() => window.hostApps[0]?.app.reload());
  await eventually(() => page.evaluate(() => window.hostApps[0]?.app.getSnapshot().epoch)).toBe(2);
  await reaches(page, 'ready');
  await show(page, { html: quietApp, base: world.base, options: { logPolicy: false } });
  expect(lines).toHaveLength(1);
});

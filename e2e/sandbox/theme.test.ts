import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { page, useSandbox, world } from './fixture.js';
import { mountApp, toGuest, waitFor, type Mounted } from './support.js';

useSandbox();

const white = 'white';
const through = 'the host page';

/** What is seen inside the app's frame, beside its text: the page around it, or a canvas of its own. */
const look = async (): Promise<string> => {
  const at = (x: number) => page.screenshot({ clip: { x, y: 180, width: 1, height: 1 } });
  const [inside, outside] = [await at(380), await at(420)];
  if (inside.equals(outside)) return through;
  await page.evaluate(() =>
    document.body.insertAdjacentHTML(
      'beforeend',
      '<i style="position:fixed;left:500px;top:0;width:9px;height:300px;background:#fff">',
    ),
  );
  return inside.equals(await at(504)) ? white : 'another colour';
};

const setUp = async (system: 'light' | 'dark', theme: 'light' | 'dark'): Promise<void> => {
  await page.emulateMedia({ colorScheme: system });
  await page.evaluate((scheme) => {
    document.documentElement.style.colorScheme = scheme;
    document.body.style.cssText = `margin:0;background:${scheme === 'dark' ? 'rgb(10, 20, 30)' : 'rgb(240, 245, 250)'}`;
  }, theme);
};

const tellTheme = (app: Mounted, theme: string): Promise<void> =>
  app.post({ jsonrpc: '2.0', id: 1, result: { protocolVersion: '2026-01-26', hostContext: { theme } } });

const aware = (theme: string) => toGuest('', `<!doctype html><meta name="color-scheme" content="${theme}">`);

describe.each([
  ['light', 'dark'],
  ['dark', 'dark'],
  ['light', 'light'],
  ['dark', 'light'],
] as const)('on a %s system and a %s host page', (system, theme) => {
  test('a frame that only loads shows no canvas of its own, if the host leaves it light', async () => {
    await setUp(system, theme);
    await page.addStyleTag({ content: 'iframe { color-scheme: light }' });
    const app = await mountApp(page, world, '');
    await eventually(() => app.sandboxMessages('loader-ready')).toHaveLength(1);
    expect(await look()).toBe(through);
  });

  test('an app that takes on the host’s theme stands on the host page itself', async () => {
    await setUp(system, theme);
    const app = await mountApp(page, world, aware(theme));
    await waitFor(app, 'ran');
    await tellTheme(app, theme);
    await eventually(look).toBe(through);
  });

  test('an app that knows no themes is readable', async () => {
    await setUp(system, theme);
    const app = await mountApp(page, world, toGuest(''));
    await waitFor(app, 'ran');
    await tellTheme(app, theme);
    await eventually(look).toBe(theme === 'dark' ? white : through);
  });
});

test('a theme that changes reaches the proxy with the app’s own news', async () => {
  await setUp('light', 'dark');
  const app = await mountApp(page, world, aware('dark'));
  await waitFor(app, 'ran');
  await tellTheme(app, 'light');
  const method = 'ui/notifications/host-context-changed';
  await app.post({ jsonrpc: '2.0', method, params: { theme: 'dark' } });
  await eventually(look).toBe(through);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCasement, type RunningCasement } from '../support/casement.js';
import { createTempFolder, writeConfig } from '../support/config-file.js';
import { eventually } from '../support/eventually.js';
import { fixtureServer } from '../support/server-commands.js';
import { toBrowserStage, type BrowserStage } from './support/browser-stage.js';
import { startBrowser, type BrowserName, type StartedBrowser } from './support/start-browser.js';

// An app that holds its thread for twelve seconds. Firefox and Chromium keep it from the page's thread; WebKitGTK runs
// all frames of a page on one, so there the page stands still, and has to say so afterwards.
const browsers: readonly { name: BrowserName; site: 'page' | 'other'; hasOwnThread: boolean }[] = [
  { name: 'chromium', site: 'page', hasOwnThread: true },
  { name: 'firefox', site: 'other', hasOwnThread: true },
  { name: 'webkit', site: 'other', hasOwnThread: false },
];

const folder = createTempFolder();
let casement: RunningCasement;

beforeAll(async () => {
  const config = writeConfig(folder.path, { fixture: fixtureServer() });
  casement = await startCasement(['--config', config, '--trust-config']);
});

afterAll(async () => {
  await casement?.stop();
  folder.remove();
});

describe.each(browsers)('$name', ({ name, site, hasOwnThread }) => {
  let browser: StartedBrowser;
  let stage: BrowserStage;
  beforeAll(async () => {
    browser = await startBrowser(name);
    stage = toBrowserStage(browser);
    await stage.open(casement.url, { server: 'fixture', tool: 'busy', args: {}, run: true });
    await stage.reaches('ready');
  });
  afterAll(() => browser?.close());

  test(`the app lives on the site that this browser keeps apart: ${site}`, async () => {
    const { address } = (await stage.snapshot()) ?? {};
    expect(address?.site).toBe(site);
    const [page = '', proxy = '', app = ''] = (await stage.origins()).map(
      (origin) => new URL(origin).hostname,
    );
    expect(proxy).toBe(`sandbox.${page}`);
    expect(app.split('.').slice(1).join('.')).toBe(site === 'page' ? page : 'localhost');
    await browser.press(0, '[role=tab]', 'Security');
    await eventually(async () =>
      /has no Connection-Allowlist/.test(await stage.textOf('[role=tabpanel]')),
    ).toBe(site === 'other');
    await browser.press(0, '[role=tab]', 'State');
    await eventually(() => stage.textOf('[role=tabpanel]')).toMatch(
      site === 'page' ? /App’s site\s+the page’s:/ : /App’s site\s+another than the page’s:/,
    );
  });

  test('a busy app does not hold the page, or it is said for how long it did', async () => {
    await browser.run(0, () => {
      let last = performance.now();
      document.documentElement.dataset['pause'] = '0';
      setInterval(() => {
        const { dataset } = document.documentElement;
        dataset['pause'] = String(Math.max(Number(dataset['pause']), performance.now() - last));
        last = performance.now();
      }, 20);
    });
    await browser.click(2, '#block');
    const pause = () => browser.run(0, () => Number(document.documentElement.dataset['pause']));
    const spoken = async () => JSON.stringify(await stage.recording());
    if (hasOwnThread) {
      // Read afterwards: Chromium's driver itself waits for the busy frame.
      await eventually(spoken, 40_000).toMatch(/"state":"silent".*"state":"alive"/);
      expect(await spoken()).toContain('app-not-responding');
      expect(await pause()).toBeLessThan(5000);
    } else {
      await eventually(pause, 40_000).toBeGreaterThan(8000);
      await eventually(spoken, 30_000).toContain('stood-still');
      expect((await stage.snapshot())?.findings).toContainEqual(
        expect.objectContaining({
          code: 'app-not-responding',
          message: expect.stringMatching(/stood still for 1\d\.\d s/),
        }),
      );
    }
    await eventually(spoken, 30_000).toContain('busy until here');
    expect(await stage.status()).toBe('ready');
  });
});

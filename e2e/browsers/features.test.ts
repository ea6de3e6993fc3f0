import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCasement, type RunningCasement } from '../support/casement.js';
import { createTempFolder, writeConfig } from '../support/config-file.js';
import { eventually } from '../support/eventually.js';
import { toMessages } from '../support/recorded.js';
import { fixtureServer, publishedServers } from '../support/server-commands.js';
import { toBrowserStage, type BrowserStage } from './support/browser-stage.js';
import { browserNames, startBrowser, type StartedBrowser } from './support/start-browser.js';

const folder = createTempFolder();
let casement: RunningCasement;

beforeAll(async () => {
  const config = writeConfig(folder.path, { debug: publishedServers.debug, fixture: fixtureServer() });
  casement = await startCasement(['--config', config, '--trust-config']);
});

afterAll(async () => {
  await casement?.stop();
  folder.remove();
});

describe.each(browserNames)('%s', (name) => {
  let browser: StartedBrowser;
  let stage: BrowserStage;
  beforeAll(async () => {
    // A system that has no language set: WebKitGTK then says that its language is "C".
    browser = await startBrowser(name, { env: { LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' } });
    stage = toBrowserStage(browser);
  });
  afterAll(() => browser?.close());
  const showDebug = async () => {
    await stage.open(casement.url, { server: 'debug', tool: 'debug-tool', args: {}, run: true });
    await stage.reaches('ready');
  };
  /** Chooses in the page's only list that has this value. */
  const choose = (value: string) =>
    browser.run(
      0,
      (wanted) => {
        const select = [...document.querySelectorAll('select')].find((one) =>
          [...one.options].some((option) => option.value === wanted),
        );
        if (!select) throw new Error(`no choice of ${wanted}`);
        select.value = wanted;
        select.dispatchEvent(new Event('change', { bubbles: true }));
      },
      value,
    );
  const log = () => stage.textOfApp('#event-log');

  test('the app goes to the display modes it or the user asks for', async () => {
    await showDebug();
    const info = () => stage.textOfApp('#host-context-info');
    for (const mode of ['fullscreen', 'pip', 'inline']) {
      // A press in the app counts as the user's; WebKit's driver cannot make one, so there the user asks in the page.
      if (name === 'webkit') await choose(mode);
      else await browser.press(2, `#display-${mode}-btn`);
      await eventually(async () => (await stage.snapshot())?.displayMode).toBe(mode);
      await eventually(info).toMatch(new RegExp(`Display Mode\\s*${mode}`));
    }
  });

  test('what the app is told of its language is a language', async () => {
    const sent = toMessages(await stage.recording()).find(
      ({ leg, dir, result }) =>
        leg === 'app' && dir === 'out' && JSON.stringify(result)?.includes('hostContext'),
    );
    // The answer to ui/initialize.
    const { locale = '' } = (sent?.result as { hostContext: { locale?: string } }).hostContext;
    expect(Intl.getCanonicalLocales(locale)).toEqual([locale]);
  });

  test('a question is as high as its words, and its answer reaches the app', async () => {
    await showDebug();
    await browser.click(2, '#send-message-text-btn');
    const boxes = () =>
      browser.run(0, () => {
        const findAll = (root: Document | ShadowRoot): HTMLDialogElement[] => [
          ...root.querySelectorAll<HTMLDialogElement>('dialog[open]'),
          ...[...root.querySelectorAll('*')].flatMap((one) =>
            one.shadowRoot ? findAll(one.shadowRoot) : [],
          ),
        ];
        return findAll(document).map((dialog) => dialog.getBoundingClientRect().height);
      });
    await eventually(async () => (await boxes()).length).toBe(1);
    const [height = NaN] = await boxes();
    expect(height).toBeGreaterThan(150);
    expect(height).toBeLessThan(450);
    await browser.press(0, 'dialog button[aria-disabled="false"]', 'Send');
    await eventually(log).toContain('send-message-result:');
  });

  test('scrollbars have the colours of the theme', async () => {
    await stage.open(casement.url, { server: 'fixture', tool: 'well-behaved', args: {}, run: true });
    await stage.reaches('ready');
    const read = () =>
      browser.run(0, () => {
        const list = document.querySelector('.tool-list');
        if (!list) throw new Error('no list of tools');
        const { colorScheme, scrollbarColor } = getComputedStyle(list);
        return { colorScheme, scrollbarColor };
      });
    for (const [theme, thumb] of [
      ['light', 'rgb(102, 114, 127)'],
      ['dark', 'rgb(142, 153, 167)'],
    ] as const) {
      await choose(theme);
      await eventually(read).toMatchObject({ colorScheme: theme });
      // The track shows what is below it. WebKitGTK has no such property, and follows the scheme.
      expect((await read()).scrollbarColor).toBe(name === 'webkit' ? null : `${thumb} rgba(0, 0, 0, 0)`);
    }
  });

  test('the app stores for itself, and its cookies are not the page’s', async () => {
    await stage.open(casement.url, { server: 'fixture', tool: 'well-behaved', args: {}, run: true });
    await stage.reaches('ready');
    const stored = await browser.run(2, async () => {
      localStorage.setItem('kept', 'yes');
      document.cookie = 'app=1; path=/';
      const opened = await new Promise<string>((resolve) => {
        const request = indexedDB.open('base', 1);
        request.onsuccess = () => resolve('opened');
        request.onerror = () => resolve(String(request.error));
      });
      return [localStorage.getItem('kept'), opened];
    });
    expect(stored).toEqual(['yes', 'opened']);
    expect(await browser.run(0, () => document.cookie)).toBe('');
  });

  test('an app comes up in the chat', async () => {
    const url = new URL(casement.url);
    url.searchParams.set('view', 'chat');
    await browser.goto(url.href);
    await browser.type(
      0,
      'textarea[aria-label="Message"], [role=textbox][aria-label="Message"]',
      '/well-behaved {}',
    );
    await browser.press(0, 'button', 'Send');
    const asked = () => browser.run(0, () => document.querySelectorAll('.casement-tool').length);
    await eventually(asked).toBe(1);
    await eventually(() =>
      browser.run(
        0,
        () =>
          document.querySelector('[data-mcp-app-id] [data-app-status]')?.getAttribute('data-app-status') ??
          '',
      ),
    ).toBe('ready');
    await eventually(() => stage.textOfApp('#result')).toContain('text result of well-behaved');
  });

  test.each(['app-dialog', 'casement-dialog'])(
    'a dialog of the page (%s) is as high as what it holds',
    async (look) => {
      const height = await browser.run(
        0,
        (className) => {
          const dialog = Object.assign(document.createElement('dialog'), { className });
          const place = Object.assign(document.createElement('div'), { textContent: 'Its place' });
          dialog.append(Object.assign(document.createElement('h2'), { textContent: 'A title' }), place);
          document.querySelector('.casement-chat, main, body')?.append(dialog);
          dialog.showModal();
          const box = dialog.getBoundingClientRect();
          dialog.remove();
          return box.height;
        },
        look,
      );
      expect(height).toBeGreaterThan(30);
      expect(height).toBeLessThan(200);
    },
  );
});

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { quietApp, toApp } from '../../support/guest.js';
import { startWorld, type World } from '../../support/world.js';
import { closeContexts, openBrowser } from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import { useTab } from '../../support/tab.js';
import { drivers, furnish, type Contract } from './drivers.js';
import type { ContractSpec } from './page-contract.js';

let browser: Browser;
let world: World;
let host: Contract;
const tab = useTab();

beforeAll(async () => {
  [browser, world] = await Promise.all([openBrowser(), startWorld()]);
});

afterAll(async () => {
  await closeContexts();
  await world?.close();
});

const show = (html: string, spec: Partial<ContractSpec> = {}) =>
  host.show({ base: world.base, html, ...spec });

const showReady = async (html: string, spec: Partial<ContractSpec> = {}) => {
  await show(html, spec);
  await host.reaches('ready');
};

/** An app with a button for each request of a list, which reports the answers. */
const asking = (requests: readonly (readonly [string, object])[]): string =>
  toApp(`
    const requests = ${JSON.stringify(requests)};
    const answers = [];
    await bridge.initialize();
    const button = document.body.appendChild(document.createElement('button'));
    button.onclick = async () => {
      const { result, error } = await bridge.request(...requests[answers.length]);
      answers.push(result ?? { code: error.data?.code ?? error.code });
      document.getElementById('shown').textContent = JSON.stringify(answers);
    };
  `);

/** Presses the button of an asking app until all its requests are answered. */
const askAll = async (count: number): Promise<unknown[]> => {
  const guest = await host.guest();
  const read = async () => {
    const text = (await guest.textContent('#shown')) ?? '';
    return text.startsWith('[') ? (JSON.parse(text) as unknown[]) : [];
  };
  for (let answered = 1; answered <= count; answered += 1) {
    await guest.click('button');
    await eventually(async () => (await read()).length).toBe(answered);
  }
  return read();
};

const notices = () => host.received('ui/notifications/tool-');

describe.each(drivers)('$name', (driver) => {
  beforeEach(async () => {
    host = await furnish(await tab.open(browser, `${world.hostOrigin}/`), driver);
  });

  test('shows an app in one frame on an origin of its own, and says how far it is', async () => {
    await showReady(quietApp);
    expect(await (await host.guest()).textContent('#shown')).toBe('guest');
    expect(await (await host.guest()).evaluate(() => location.origin)).not.toBe(world.hostOrigin);
    expect(await host.frames()).toBe(1);
    await eventually(host.shownStatus).toBe('ready');
    expect(await host.snapshot()).toMatchObject({ epoch: 1, appInfo: { name: 'guest' } });
  });

  test('tells input as it grows, the whole input, then the result, each once', async () => {
    await showReady(quietApp);
    expect(await notices()).toEqual([]);
    await host.change({ toolInputPartial: { city: 'Li' } });
    await eventually(notices).toHaveLength(1);
    await host.change({ toolInputText: '{"city":"Lisb' });
    await eventually(notices).toHaveLength(2);
    await host.change({ toolInput: { city: 'Lisbon' } });
    await host.change({ toolResult: { content: [{ type: 'text', text: 'sunny' }] } });
    const all = [
      ['input-partial', { arguments: { city: 'Li' } }],
      ['input-partial', { arguments: { city: 'Lisb' } }],
      ['input', { arguments: { city: 'Lisbon' } }],
      ['result', { content: [{ type: 'text', text: 'sunny' }] }],
    ];
    await eventually(notices).toEqual(all);
    // Equal values in new objects are no news.
    await host.change({ toolInput: { city: 'Lisbon' }, hostContext: { locale: 'fi-FI' } });
    await eventually(() => host.received('ui/notifications/host-context-changed')).toHaveLength(1);
    expect(await notices()).toEqual(all);
  });

  test('tells a cancelled call with its reason', async () => {
    await showReady(quietApp);
    await host.change({ toolInput: { city: 'Lisbon' } });
    await host.change({ toolCancelled: 'The user stopped it.' });
    await eventually(notices).toEqual([
      ['input', { arguments: { city: 'Lisbon' } }],
      ['cancelled', { reason: 'The user stopped it.' }],
    ]);
  });

  test('changes of context and mode reach the running document; the frame stays the same', async () => {
    await showReady(quietApp, { displayModes: ['inline', 'fullscreen'] });
    await (await host.guest()).evaluate(() => (document.title = 'untouched'));
    await host.change({ hostContext: { locale: 'ja-JP' } });
    await eventually(() => host.received('ui/notifications/host-context-changed')).toEqual([
      ['', { locale: 'ja-JP' }],
    ]);
    await host.change({ displayMode: 'fullscreen' });
    await eventually(async () => (await host.snapshot())?.displayMode).toBe('fullscreen');
    await host.change({ displayMode: 'inline' });
    await eventually(async () => (await host.snapshot())?.displayMode).toBe('inline');
    expect(await (await host.guest()).title()).toBe('untouched');
    expect((await host.snapshot())?.epoch).toBe(1);
    expect(await host.frames()).toBe(1);
  });

  test('opens a link after a yes, not after a no, and asks no more after always', async () => {
    const link = (path: string) => ['ui/open-link', { url: `https://contract.example/${path}` }] as const;
    await showReady(asking([link('no'), link('yes'), link('always'), link('again')]), {
      answers: { link: [false, true, 'always'] },
    });
    expect(await askAll(4)).toEqual([{ isError: true }, {}, {}, {}]);
    expect(await host.heard('opened')).toEqual([
      'https://contract.example/yes',
      'https://contract.example/always',
      'https://contract.example/again',
    ]);
    expect(await host.heard('link')).toHaveLength(3);
    expect(await host.heard('link')).toContainEqual(
      expect.objectContaining({ host: 'contract.example', server: 'contract server' }),
    );
  });

  test('hands a message over when the person agrees; what nobody answers for is not offered', async () => {
    const message = ['ui/message', { role: 'user', content: [{ type: 'text', text: 'hi' }] }] as const;
    const download = ['ui/download-file', { contents: [] }] as const;
    await showReady(asking([message, message, download]), { answers: { message: [true, false] } });
    expect(await askAll(3)).toEqual([{}, { isError: true }, { code: 'method-not-found' }]);
    expect(await host.heard('message')).toHaveLength(2);
    expect((await host.snapshot())?.hostCapabilities).not.toHaveProperty('openLinks');
    expect((await host.snapshot())?.hostCapabilities).not.toHaveProperty('downloadFile');
  });

  test('keeps what the model should know, replaced whole, and hears when the app takes it back', async () => {
    const update = (params: object) => ['ui/update-model-context', params] as const;
    await showReady(
      asking([
        update({ content: [{ type: 'text', text: 'first' }] }),
        update({ structuredContent: { page: 2 } }),
        update({}),
      ]),
      { hearsModelContext: true },
    );
    const guest = await host.guest();
    await guest.click('button');
    await eventually(() => host.heard('model-context')).toHaveLength(1);
    expect((await host.snapshot())?.modelContext).toEqual({ content: [{ type: 'text', text: 'first' }] });
    await guest.click('button');
    await eventually(async () => (await host.snapshot())?.modelContext).toEqual({
      structuredContent: { page: 2 },
    });
    await guest.click('button');
    await eventually(() => host.heard('model-context')).toHaveLength(3);
    expect((await host.heard('model-context')).at(-1)).toBeNull();
    expect((await host.snapshot())?.modelContext).toBeUndefined();
  });

  test('saves a file after a yes, under the name the person was asked about', async () => {
    const file = {
      type: 'resource',
      resource: { uri: 'file:///notes.txt', mimeType: 'text/plain', text: 'saved by the app' },
    };
    const download = ['ui/download-file', { contents: [file] }] as const;
    await showReady(asking([download, download]), { answers: { download: [false, true] } });
    const saving = host.page.waitForEvent('download');
    expect(await askAll(2)).toEqual([{ isError: true }, {}]);
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('notes.txt');
    expect(await host.heard('download')).toContainEqual(
      expect.objectContaining({ files: [{ name: 'notes.txt', mimeType: 'text/plain', bytes: 16 }] }),
    );
  });

  test('asks the model for an app after a yes', async () => {
    const sampling = [
      'sampling/createMessage',
      { messages: [{ role: 'user', content: { type: 'text', text: 'hello' } }], maxTokens: 50 },
    ] as const;
    await showReady(asking([sampling, sampling]), { answers: { sampling: [true, false] } });
    expect(await askAll(2)).toEqual([
      expect.objectContaining({ content: { type: 'text', text: 'said the model' } }),
      { code: 'sampling-denied' },
    ]);
  });

  test('shows the fallback text and a neutral sentence in place of an app that cannot be, and reload brings it', async () => {
    await show(quietApp, { failingReads: 1, fallback: 'Lisbon: 24 °C.' });
    await host.reaches('failed');
    const alert = host.page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.count()).toBe(1);
    const text = await alert.textContent();
    expect(text?.startsWith('Lisbon: 24 °C.')).toBe(true);
    // The reason is for those who run the page.
    expect(text).toContain('This app cannot be shown.');
    expect(text).not.toContain('not today');
    expect((await host.snapshot())?.failure?.message).toContain('not today');
    await eventually(() => host.heard('failure')).toEqual(['resource-missing']);
    await host.page.evaluate(() => window.contract.controls().reload());
    await host.reaches('ready');
    await eventually(() => alert.count()).toBe(0);
  });

  test('reload brings a new document, which is told the input and result again', async () => {
    await showReady(quietApp);
    const result = { content: [{ type: 'text' as const, text: 'sunny' }] };
    await host.change({ toolInput: { city: 'Lisbon' }, toolResult: result });
    await eventually(notices).toHaveLength(2);
    await (await host.guest()).evaluate(() => (document.title = 'old'));
    await host.page.evaluate(() => window.contract.controls().reload());
    await eventually(async () => (await host.guest()).title().catch(() => 'old')).toBe('guest');
    await host.reaches('ready');
    await eventually(notices).toEqual([
      ['input', { arguments: { city: 'Lisbon' } }],
      ['result', result],
    ]);
    expect(await host.frames()).toBe(1);
  });

  test('taken away, the app is asked to stop and saves before its frame goes', async () => {
    await showReady(
      toApp(`
        bridge.answers['ui/resource-teardown'] = () => undefined;
        addEventListener('message', ({ data }) => {
          if (data.method !== 'ui/resource-teardown') return;
          setTimeout(() => {
            bridge.notify('notifications/message', { level: 'info', data: 'saved' });
            bridge.post({ jsonrpc: '2.0', id: data.id, result: {} });
          }, 150);
        });
        await bridge.initialize();
      `),
    );
    const ending = host.remove();
    await eventually(() => host.heard('log')).toEqual(['saved']);
    await ending;
    await eventually(host.frames).toBe(0);
    expect(await host.page.locator('[data-app-status]').count()).toBe(0);
  });

  test('an app that asks to be closed is, unless the page keeps it', async () => {
    const request = toApp(`
      await bridge.initialize();
      document.body.appendChild(document.createElement('button')).onclick =
        () => bridge.notify('ui/notifications/request-teardown', {});
    `);
    await showReady(request, { answers: { teardown: [false, true] } });
    const guest = await host.guest();
    await guest.click('button');
    await eventually(() => host.heard('teardown')).toHaveLength(1);
    expect((await host.snapshot())?.status).toBe('ready');
    await guest.click('button');
    await host.reaches('closed');
    await eventually(host.frames).toBe(0);
  });

  test('the tools an app offers can be called as long as it is there', async () => {
    await showReady(
      toApp(`
        const tool = { name: 'add', inputSchema: { type: 'object' } };
        bridge.answers['tools/list'] = () => ({ tools: [tool] });
        bridge.answers['tools/call'] = ({ arguments: { a, b } }) =>
          ({ content: [{ type: 'text', text: String(a + b) }] });
        await bridge.request('ui/initialize', {
          appInfo: { name: 'tools', version: '1' }, appCapabilities: { tools: {} }, protocolVersion: '2026-01-26',
        });
        bridge.notify('ui/notifications/initialized', {});
      `),
    );
    await eventually(async () => (await host.snapshot())?.appTools).toEqual([
      expect.objectContaining({ tool: expect.objectContaining({ name: 'add' }), callable: true }),
    ]);
    const call = () =>
      host.page.evaluate(() => {
        const [offered] = window.contract.snapshot()?.appTools ?? [];
        return window.contract
          .controls()
          .callAppTool(offered?.qualifiedName ?? 'add', { a: 2, b: 3 })
          .catch((error: { code?: string }) => error.code);
      });
    expect(await call()).toMatchObject({ content: [{ text: '5' }] });
    await host.page.evaluate(() => window.contract.controls().stop());
    await host.reaches('failed');
    expect((await host.snapshot())?.appTools).toEqual([]);
    expect(await call()).not.toHaveProperty('content');
  });

  test('an app of the page itself has no tool and gets no tool notices', async () => {
    await showReady(toApp('bridge.report((await bridge.initialize()).result.hostContext);'), {
      hasTool: false,
    });
    expect(await host.report()).not.toHaveProperty('toolInfo');
    await host.change({ hostContext: { locale: 'fi-FI' } });
    await eventually(() => host.received('ui/notifications/host-context-changed')).toHaveLength(1);
    expect(await notices()).toEqual([]);
  });

  test('is mounted when its place comes near, makes room for another and comes back with what was typed', async () => {
    await host.page.evaluate(() => {
      document.body.style.paddingTop = '4000px';
    });
    const limits = { maxLiveApps: 1 };
    await show(quietApp, { limits });
    // It waits until the page is scrolled.
    await eventually(host.shownStatus).toBe('idle');
    expect(await host.frames()).toBe(0);
    await host.page.evaluate(() => window.scrollTo(0, 4000));
    await host.reaches('ready');
    const result = { content: [{ type: 'text' as const, text: 'sunny' }] };
    await host.change({ toolInput: { city: 'Lisbon' }, toolResult: result });
    await (await host.guest()).fill('input', 'typed by the user');
    await host.page.evaluate(() => document.querySelector('iframe')?.blur());
    await host.page.evaluate(() => window.scrollTo(0, 0));
    await host.showOther({ base: world.base, html: quietApp, limits });
    await host.reaches('evicted');
    await eventually(host.shownStatus).toBe('evicted');
    await host.page.evaluate(() => window.scrollTo(0, 4000));
    await host.reaches('ready');
    expect((await host.snapshot())?.epoch).toBe(2);
    await eventually(notices).toEqual([
      ['input', { arguments: { city: 'Lisbon' } }],
      ['result', result],
    ]);
    await eventually(async () => (await host.guest()).inputValue('input')).toBe('typed by the user');
    expect(await host.frames()).toBe(1);
  });

  test('stop ends an app at once, without asking it', async () => {
    await showReady(quietApp, { fallback: 'Stopped.' });
    await host.page.evaluate(() => window.contract.controls().stop());
    await host.reaches('failed');
    expect((await host.snapshot())?.failure?.code).toBe('app-stopped');
    await eventually(host.frames).toBe(0);
    expect(await host.page.getByRole('alert').textContent()).toContain('Stopped.');
  });
});

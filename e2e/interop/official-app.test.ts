import type { HostContext } from '@casement/protocol';
import { styleVariableNames } from '@casement/protocol/start';
import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { startWorld, type World } from '../support/world.js';
import { closeContexts, openBrowser } from '../support/browser.js';
import { eventually, waitUntil } from '../support/eventually.js';
import { askedFor, connectedGuest, openHost, recorded } from './host-page.js';
import {
  officialPage,
  officialVersions,
  type OfficialGuest,
  type OfficialVersion,
} from '../../test/interop/official-app.js';
import { returnPage } from '../support/borrowed-page.js';

declare global {
  interface Window {
    /** Only in the guest. */
    official: OfficialGuest;
  }
}

let browser: Browser;
let world: World;

beforeAll(async () => {
  [browser, world] = await Promise.all([openBrowser(), startWorld()]);
});

afterAll(async () => {
  await closeContexts();
  await world?.close();
});

/** Every field there is; the page adds what it measures itself. */
const hostContext: HostContext = {
  theme: 'dark',
  styles: {
    variables: Object.fromEntries(styleVariableNames.map((name) => [name, `var(${name})`])),
    css: { fonts: '@font-face { font-family: x; src: local(x); }' },
  },
  locale: 'de-CH',
  timeZone: 'Europe/Zurich',
  userAgent: 'interop/9.9.9',
  platform: 'desktop',
  deviceCapabilities: { touch: false, hover: true },
  safeAreaInsets: { top: 1, right: 2, bottom: 3, left: 4 },
};

/** A refusal as the official class throws it. */
interface Refusal {
  readonly code: number;
  readonly message: string;
}

describe.each(Object.keys(officialVersions) as OfficialVersion[])('the official App %s', (version) => {
  let page: Page;
  let guest: Frame;

  const open = async (): Promise<void> => {
    page = await openHost(browser, world.hostOrigin, {
      html: await officialPage(version),
      base: world.base,
      hostContext,
    });
    guest = await connectedGuest(page);
    expect(await guest.evaluate(() => window.official.failure)).toBeUndefined();
    await waitUntil(
      () => page.evaluate(() => window.counterpart.app.getSnapshot().status),
      (status) => status === 'ready',
      { what: 'The status ready' },
    );
  };

  const heard = (type: string): Promise<Record<string, unknown>[]> =>
    guest.evaluate(
      (name) => window.official.heard.filter((event) => event.type === name).map(({ params }) => params),
      type,
    );

  describe('on a page for each test', () => {
    beforeEach(open);
    afterEach(() => returnPage(page));

    test('connects, and takes a context with every field and all 76 variables', async () => {
      const context = await guest.evaluate(() => window.official.app.getHostContext());
      expect(context).toMatchObject({
        ...hostContext,
        displayMode: 'inline',
        availableDisplayModes: ['inline', 'fullscreen', 'pip'],
        toolInfo: { tool: { name: 'show', inputSchema: { type: 'object' } } },
        containerDimensions: expect.objectContaining({}),
      });
      expect(Object.keys((context?.['styles'] as HostContext['styles'])?.variables ?? {})).toHaveLength(76); // as sent
      expect(await guest.evaluate(() => window.official.app.getHostVersion())).toEqual({
        name: 'interop host',
        version: '9.9.9',
      });
      const capabilities = await guest.evaluate(() => window.official.app.getHostCapabilities());
      expect(Object.keys(capabilities ?? {}).sort()).toEqual(
        [
          'downloadFile',
          'logging',
          'message',
          'openLinks',
          'sampling',
          'sandbox',
          'serverResources',
          'serverTools',
          'updateModelContext',
        ].sort(),
      );
      expect(await page.evaluate(() => window.counterpart.app.getSnapshot())).toMatchObject({
        appInfo: { name: 'official', version: '1.2.3' },
        dialects: [],
      });
    });

    test('hears partial input, input and result in this order', async () => {
      await page.evaluate(() => {
        const { app } = window.counterpart;
        app.sendToolInputPartial({ city: 'K' });
        app.sendToolInput({ city: 'Köln' });
        app.sendToolResult({
          content: [{ type: 'text', text: '21 °C' }],
          structuredContent: { degrees: 21 },
          _meta: { secret: 1 },
        });
      });
      await eventually(() => heard('tool-result')).toEqual([
        {
          content: [{ type: 'text', text: '21 °C' }],
          structuredContent: { degrees: 21 },
          _meta: { secret: 1 },
        },
      ]);
      expect(await guest.evaluate(() => window.official.heard.map(({ type }) => type))).toEqual([
        'tool-input-partial',
        'tool-input',
        'tool-result',
      ]);
      expect(await heard('tool-input-partial')).toEqual([{ arguments: { city: 'K' } }]);
      expect(await heard('tool-input')).toEqual([{ arguments: { city: 'Köln' } }]);
    });

    test('hears that the call was given up, and why', async () => {
      await page.evaluate(() => {
        window.counterpart.app.sendToolInput({});
        window.counterpart.app.sendToolCancelled('the person pressed stop');
      });
      await eventually(() => heard('tool-cancelled')).toEqual([{ reason: 'the person pressed stop' }]);
    });

    test('hears of a changed context and merges it', async () => {
      await page.evaluate(() =>
        window.counterpart.app.sendHostContextChanged({ theme: 'light', locale: 'fr-CH' }),
      );
      await eventually(() => heard('host-context-changed')).toContainEqual({
        theme: 'light',
        locale: 'fr-CH',
      });
      expect(await guest.evaluate(() => window.official.app.getHostContext())).toMatchObject({
        theme: 'light',
        locale: 'fr-CH',
        platform: 'desktop',
      });
    });

    test('opens a link with consent and hears of a no', async () => {
      const open = () => guest.evaluate(() => window.official.app.openLink({ url: 'https://example.com/a' }));
      expect(await open()).toEqual({});
      await page.evaluate(() => (window.counterpart.consent = false));
      expect(await open()).toEqual({ isError: true });
      expect(await askedFor(page, 'opened')).toEqual(['https://example.com/a']);
    });

    test('sends a message with consent and hears of a no', async () => {
      const send = () =>
        guest.evaluate(() =>
          window.official.app.sendMessage({ role: 'user', content: [{ type: 'text', text: 'Hi' }] }),
        );
      expect(await send()).toEqual({});
      await page.evaluate(() => (window.counterpart.consent = false));
      expect(await send()).toEqual({ isError: true });
      expect((await askedFor(page, 'message'))[0]).toEqual({
        role: 'user',
        content: [{ type: 'text', text: 'Hi' }],
      });
    });

    test('changes its display mode, and is told the mode in force when it may not', async () => {
      const ask = (mode: string) =>
        guest.evaluate((wish) => window.official.app.requestDisplayMode({ mode: wish }), mode);
      expect(await ask('fullscreen')).toEqual({ mode: 'fullscreen' });
      expect(await guest.evaluate(() => window.official.app.getHostContext())).toHaveProperty(
        'displayMode',
        'fullscreen',
      );
      // It did not declare this one.
      expect(await ask('pip')).toEqual({ mode: 'fullscreen' });
      expect(await page.evaluate(() => window.counterpart.app.getSnapshot().displayMode)).toBe('fullscreen');
    });

    test('saves a file with consent', async () => {
      const download = page.waitForEvent('download');
      const answer = await guest.evaluate(() =>
        window.official.app.downloadFile({
          contents: [
            {
              type: 'resource',
              resource: { uri: 'file:///report.txt', mimeType: 'text/plain', text: 'the report' },
            },
          ],
        }),
      );
      expect(answer).toEqual({});
      expect((await download).suggestedFilename()).toBe('report.txt');
      expect(await askedFor(page, 'download')).toHaveLength(1);
    });

    test('asks the model with consent', async () => {
      const answer = await guest.evaluate(() =>
        window.official.app.createSamplingMessage({
          messages: [{ role: 'user', content: { type: 'text', text: 'How many?' } }],
          maxTokens: 50,
        }),
      );
      expect(answer).toMatchObject({ model: 'a model', content: { type: 'text', text: 'forty-two' } });
      expect(await askedFor(page, 'sampling')).toHaveLength(1);
    });

    test('offers a tool that can be called until it takes it away', async () => {
      const names = () =>
        page.evaluate(() =>
          window.counterpart.app.getSnapshot().appTools.map(({ tool, callable }) => [tool.name, callable]),
        );
      await eventually(names).toEqual([['square', true]]);
      const call = (side: number) =>
        page.evaluate(
          (length) =>
            window.counterpart.app.callAppTool('square', { side: length }).then(
              ({ structuredContent, isError }) => ({ structuredContent, isError }),
              (error: { code: string }) => ({ code: error.code }),
            ),
          side,
        );
      expect(await call(7)).toMatchObject({ structuredContent: { area: 49 } });
      await guest.evaluate(() => window.official.tool.remove());
      await eventually(names).toEqual([]);
      expect(await call(7)).toEqual({ code: 'app-tool-not-found' });
    });

    test('reports its size', async () => {
      await guest.evaluate(() => window.official.app.sendSizeChanged({ width: 300, height: 432 }));
      await eventually(() => page.evaluate(() => window.counterpart.app.getSnapshot().size)).toMatchObject({
        height: 432,
      });
    });

    verifies('S4-28', 'is heard by handlers for initialized, message, link, log and size', async () => {
      await guest.evaluate(async () => {
        const { app } = window.official;
        await app.sendMessage({ role: 'user', content: [{ type: 'text', text: 'Hi' }] });
        await app.openLink({ url: 'https://example.com/b' });
        await app.sendLog({ level: 'info', data: 'x' });
        await app.sendSizeChanged({ width: 310, height: 321 });
      });
      await eventually(() => askedFor(page, 'size')).toEqual([expect.objectContaining({ height: 321 })]);
      expect(await askedFor(page, 'initialized')).toEqual(['official']);
      expect(await askedFor(page, 'message')).toHaveLength(1);
      expect(await askedFor(page, 'link')).toEqual(['https://example.com/b']);
      expect(await askedFor(page, 'log')).toEqual([{ level: 'info', data: 'x' }]);
    });

    test('is asked before it goes, can still save then, and is waited for', async () => {
      await page.evaluate(() => window.counterpart.app.close('the chat was closed'));
      expect(await askedFor(page, 'tool save')).toEqual([{ at: 'teardown' }]);
      expect(
        (await recorded(page)).find(
          ({ kind, raw }) => kind === 'lifecycle' && (raw as { type?: string }).type === 'teardown', // read loosely
        )?.raw,
      ).toMatchObject({ outcome: 'answered' });
      expect(await page.locator('iframe').count()).toBe(0);
    });

    test('asks to be closed and is torn down in the orderly way', async () => {
      await guest.evaluate(() => window.official.app.requestTeardown());
      await eventually(() => page.evaluate(() => window.counterpart.app.getSnapshot().status)).toBe('closed');
      expect(await askedFor(page, 'tool save')).toEqual([{ at: 'teardown' }]);
    });
  });

  // Each of these asks for something else, needs nobody's consent, and leaves the app as it was.
  describe('on one page for all', () => {
    beforeAll(open);
    afterAll(() => page && returnPage(page));

    verifies(
      'S4-31',
      'callServerTool reaches the host as tools/call and brings the result back',
      async () => {
        const result = await guest.evaluate(() =>
          window.official.app.callServerTool({ name: 'echo', arguments: { a: [1, 'ü'] } }),
        );
        expect(result).toMatchObject({
          content: [{ type: 'text', text: 'done' }],
          structuredContent: { a: [1, 'ü'] },
        });
        expect(await askedFor(page, 'tool echo')).toEqual([{ a: [1, 'ü'] }]);
        expect(
          (await recorded(page)).some(
            ({ leg, dir, raw }) =>
              leg === 'app' && dir === 'in' && (raw as { method?: string }).method === 'tools/call', // read loosely
          ),
        ).toBe(true);
      },
    );

    verifies('S1-54', 'a call that fails is an error with number and reason', async () => {
      const refusals = await guest.evaluate(async () => {
        const tries = ['fail', 'secret', 'nothing'].map((name) =>
          window.official.app.callServerTool({ name }).then(
            () => ({ code: 0, message: 'no error' }),
            ({ code, message }: Refusal) => ({ code, message }),
          ),
        );
        return Promise.all(tries);
      });
      expect(refusals.map(({ code }) => code)).toEqual([-32000, -32000, -32000]);
      expect(refusals[0]?.message).toContain('The oven is cold.');
      expect(await askedFor(page, 'tool secret')).toEqual([]);
    });

    test('gets progress of its call and can give it up', async () => {
      const outcome = await guest.evaluate(async () => {
        const progress: unknown[] = [];
        const stop = new AbortController();
        const call = window.official.app
          .callServerTool(
            { name: 'slow' },
            {
              signal: stop.signal,
              onprogress: (report: unknown) => {
                progress.push(report);
                stop.abort();
              },
            },
          )
          .then(
            () => 'answered',
            () => 'given up',
          );
        return [await call, progress];
      });
      expect(outcome).toEqual(['given up', [expect.objectContaining({ progress: 1, total: 2 })]]);
      await eventually(() => askedFor(page, 'aborted')).toHaveLength(1);
    });

    test('lists and reads resources of its server', async () => {
      expect(await guest.evaluate(() => window.official.app.listServerResources())).toMatchObject({
        resources: [{ uri: 'note://1', name: 'note' }],
      });
      expect(
        await guest.evaluate(() => window.official.app.readServerResource({ uri: 'note://1' })),
      ).toMatchObject({ contents: [{ uri: 'note://1', mimeType: 'text/plain', text: 'a note' }] });
      expect(await askedFor(page, 'read')).toEqual(['note://1']);
    });

    test('tells the model something and takes it back', async () => {
      const update = (params: Record<string, unknown>) =>
        guest.evaluate((given) => window.official.app.updateModelContext(given), params);
      const context = { content: [{ type: 'text', text: 'on page 3' }], structuredContent: { page: 3 } };
      expect(await update(context)).toEqual({});
      expect(await page.evaluate(() => window.counterpart.app.getSnapshot().modelContext)).toEqual(context);
      expect(await update({})).toEqual({});
      expect(await page.evaluate(() => window.counterpart.app.getSnapshot().modelContext)).toBeUndefined();
    });

    test('writes to the log', async () => {
      await guest.evaluate(() =>
        window.official.app.sendLog({ level: 'warning', logger: 'app', data: { x: 1 } }),
      );
      await eventually(() => askedFor(page, 'log')).toEqual([
        { level: 'warning', logger: 'app', data: { x: 1 } },
      ]);
    });

    test('gets an answer to ping, and a number for what nobody knows', async () => {
      const ask = (method: string) =>
        guest.evaluate(
          (name) =>
            new Promise<Record<string, unknown>>((resolve) => {
              addEventListener('message', ({ data }) => {
                if (data?.id === name) resolve(data);
              });
              parent.postMessage({ jsonrpc: '2.0', id: name, method: name, params: {} }, '*');
            }),
          method,
        );
      expect(await ask('ping')).toEqual({ jsonrpc: '2.0', id: 'ping', result: {} });
      expect(await ask('no/such')).toMatchObject({
        error: { code: -32601, message: 'Method not found: no/such' },
      });
    });
  });
});

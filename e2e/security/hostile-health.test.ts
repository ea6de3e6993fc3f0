import { describe, test, type TestContext } from 'vitest';
import { eventuallyIn } from '../support/eventually.js';
import { toMessages } from '../support/recorded.js';
import { fixtureServer } from '../support/server-commands.js';
import { openStage } from '../support/stage.js';
import { browser, casement, useCasement } from '../support/use-casement.js';

useCasement({ fixture: fixtureServer() });

/** Opens a page of the test's own with a guest on its stage, and what the tests read of it. */
const show = async (guest: string, context: TestContext) => {
  const eventually = eventuallyIn(context);
  const stage = await openStage(browser, casement.url, {
    server: 'fixture',
    tool: guest,
    args: {},
    run: true,
  });
  context.onTestFinished(() => stage.close());
  await stage.reaches('ready');
  const { page } = stage;
  return {
    stage,
    click: async (name: string) => (await stage.app()).getByRole('button', { name, exact: true }).click(),
    panel: async () => (await page.getByRole('alert').allInnerTexts()).join(' '),
    badge: () => page.getByRole('group', { name: 'App', exact: true }).locator('.badge').innerText(),
    entriesOf: async (kind: string) => (await stage.recording()).filter((entry) => entry.kind === kind),
    /** What the timeline shows for a search, as a person reads it. */
    searched: (words: string) => async () => {
      await page.getByRole('tabpanel').getByRole('searchbox').fill(words);
      return page.getByRole('listbox', { name: 'Entries' }).innerText();
    },
    /** The page is whole: another app of the same server comes up in the same tab. */
    hostIsIntact: async (): Promise<void> => {
      await stage.tool.selectOption('well-behaved');
      await stage.run();
      await eventually(async () => (await stage.snapshot())?.appInfo?.name).toBe('Well-behaved guest');
      await stage.reaches('ready');
      await eventually(async () => (await stage.app()).locator('#result').textContent()).toContain(
        'text result of well-behaved',
      );
    },
  };
};

// Silence takes seconds to be sure of: the tests wait for it side by side. Within a group one follows the other, because
// apps that are busy or pour out messages take a processor each.
describe.concurrent('apps that hang', () => {
  test.sequential(
    'an app in an endless loop is said not to respond, and Stop ends it',
    async (context) => {
      const { expect } = context;
      const eventually = eventuallyIn(context);
      const { stage, click, panel, badge, searched, hostIsIntact } = await show('busy', context);
      await click('Block for a minute');
      await eventually(() => stage.failure(), 30_000).toBe('app-not-responding');
      expect(await stage.status()).toBe('ready');
      await eventually(panel).toMatch(/The app does not respond/);
      await eventually(badge).toBe('not responding');
      await stage.page.getByRole('button', { name: 'Stop the app' }).click();
      await eventually(() => stage.status()).toBe('failed');
      expect(await stage.failure()).toBe('app-stopped');
      await eventually(badge).toBe('stopped');
      expect(await stage.page.locator('#stage iframe').count()).toBe(0);
      await eventually(searched('app-not-responding')).toContain('app-not-responding');
      await eventually(searched('app-stopped')).toContain('app-stopped');
      await stage.page.getByRole('button', { name: 'Try again' }).click();
      await eventually(() => stage.status(), 30_000).toBe('ready');
      await hostIsIntact();
    },
    90_000,
  );

  test.sequential(
    'an app that comes back to itself is well again',
    async (context) => {
      const { expect } = context;
      const eventually = eventuallyIn(context);
      const { stage, click, panel, badge } = await show('busy', context);
      await click('Block');
      await eventually(() => stage.failure(), 30_000).toBe('app-not-responding');
      await eventually(() => stage.failure(), 30_000).toBe('');
      expect(await stage.status()).toBe('ready');
      await eventually(panel).toBe('');
      await eventually(badge).toBe('ready');
    },
    90_000,
  );
});

describe.concurrent('apps that crash', () => {
  test('an app whose process dies is said to have crashed, and can be loaded again', async (context) => {
    const { expect } = context;
    const eventually = eventuallyIn(context);
    const { stage } = await show('well-behaved', context);
    // Playwright gives up the whole page with a frame of it, so the rest goes through a session of its own.
    const host = await stage.context.newCDPSession(stage.page);
    const guest = await stage.context.newCDPSession(await stage.app());
    const read = async (expression: string): Promise<unknown> =>
      (await host.send('Runtime.evaluate', { expression, returnByValue: true })).result.value;
    const text = (selector: string) =>
      read(`[...document.querySelectorAll('${selector}')].map((one) => one.innerText).join(' ')`);
    const data = (name: string) => read(`document.getElementById('stage').dataset.${name}`);
    // The answer never comes: what would give it is gone.
    void guest.send('Page.crash').catch(() => undefined);
    await eventually(() => data('appFailure'), 40_000).toBe('app-crashed');
    expect(await data('appStatus')).toBe('failed');
    await eventually(() => text('[role=alert]')).toMatch(/The app crashed[\s\S]*Reload it/);
    await eventually(() => text('.toolbar .badge')).toBe('crashed');
    await eventually(() => text('[role=option]')).toContain('app-crashed');
    await read(`[...document.querySelectorAll('[role=alert] button')].at(-1).click()`);
    await eventually(() => data('appStatus'), 30_000).toBe('ready');
    expect(await read('window.casement.snapshot().epoch')).toBe(2);
  }, 90_000);
});

describe.concurrent('apps that misbehave', () => {
  test.sequential('an app that answers nothing harms nobody, and each silence is named', async (context) => {
    const { expect } = context;
    const eventually = eventuallyIn(context);
    const { stage, searched, hostIsIntact } = await show('mute', context);
    await stage.report();
    expect(await stage.count('app', 'out', 'tools/list')).toBe(1);
    expect((await stage.snapshot())?.appTools).toEqual([]);
    await stage.closeApp();
    await stage.reaches('closed');
    await eventually(searched('asked to end')).toMatch(/The app was asked to end: unanswered/);
    await hostIsIntact();
  });

  test.sequential(
    '20 MB in one message are dropped and named, and the app is heard after it',
    async (context) => {
      const { expect } = context;
      const eventually = eventuallyIn(context);
      const { stage, click, entriesOf, searched, hostIsIntact } = await show('twenty-megabytes', context);
      await click('Log 20 MB');
      await click('Call with 20 MB');
      const dropped = async () =>
        (await entriesOf('dropped'))
          // The proxy's count, as the message table describes it.
          .map(({ raw }) => raw as { count: number; reason: string })
          .filter(({ reason }) => reason === 'too-large')
          .reduce((sum, { count }) => sum + count, 0);
      await eventually(dropped).toBe(2);
      // The tests beside this one call other tools of the server; the call with 20 MB is one of "both".
      const calls = toMessages(await stage.recording()).filter(
        ({ leg, dir, method }) => leg === 'server' && dir === 'out' && method === 'tools/call',
      );
      const names = calls.map(({ params }) => params?.['name']);
      expect(names.filter((name) => name === 'twenty-megabytes' || name === 'both')).toEqual([
        'twenty-megabytes',
      ]);
      await eventually(searched('too-large')).toMatch(/not passed on: larger than the limit/);
      await click('Ping');
      expect(await stage.report()).toMatchObject({ result: {} });
      await hostIsIntact();
    },
  );

  test.sequential(
    'an app that begins its handshake again and again is refused by name after a while',
    async (context) => {
      const { expect } = context;
      const eventually = eventuallyIn(context);
      const { stage, click, entriesOf, searched, hostIsIntact } = await show('initialize-loop', context);
      await click('Begin 500 times');
      const { refused } = await stage.report<{ refused: number }>();
      expect(refused).toBeGreaterThan(400);
      expect(await stage.status()).toBe('ready');
      const decisions = JSON.stringify(await entriesOf('decision'));
      expect(decisions).toContain('rate-limited');
      await eventually(searched('rate-limited')).toMatch(/The app asked too often: ui\/initialize/);
      // Each beginning that counted delivered its input once.
      const { epoch = 0 } = (await stage.snapshot()) ?? {};
      const inputs = toMessages(await stage.recording()).filter(
        ({ leg, dir, method }) => leg === 'app' && dir === 'out' && method === 'ui/notifications/tool-input',
      );
      expect(epoch).toBeLessThan(100);
      expect(inputs.length).toBeLessThanOrEqual(epoch);
      await hostIsIntact();
    },
    90_000,
  );

  test.sequential(
    'sizes that cannot be are named in the recording, and the page keeps its shape',
    async (context) => {
      const { expect } = context;
      const eventually = eventuallyIn(context);
      const { stage, click, searched, hostIsIntact } = await show('size-bombs', context);
      await click('Send absurd sizes');
      await eventually(searched('finite number')).toMatch(
        /invalid-params\s+height: Expected a finite number/,
      );
      const width = await stage.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(width).toBeLessThanOrEqual(0);
      await hostIsIntact();
    },
  );

  test.sequential('what an app calls after its teardown is refused by name and not done', async (context) => {
    const { expect } = context;
    const { stage, hostIsIntact } = await show('calls-after-teardown', context);
    await stage.report();
    await stage.closeApp();
    await stage.reaches('closed');
    const recording = await stage.recording();
    const done = toMessages(recording).filter(({ leg, dir, params }) => {
      return leg === 'server' && dir === 'out' && params?.name === 'app-only';
    });
    expect(done).toEqual([]);
    // On a busy machine its calls may come when nobody listens any more; those that were heard were refused by name.
    const heard = toMessages(recording).filter(({ leg, dir, method }) => {
      return leg === 'app' && dir === 'in' && method === 'tools/call';
    });
    const refused = recording.filter(({ raw }) => JSON.stringify(raw).includes('session-closed'));
    expect(refused.length).toBeGreaterThanOrEqual(heard.length > 0 ? 1 : 0);
    expect(await stage.page.getByRole('dialog').count()).toBe(0);
    expect(stage.context.pages()).toHaveLength(1);
    const asked = toMessages(recording).filter(({ method }) => method === 'ui/resource-teardown');
    expect(asked).toHaveLength(1);
    await hostIsIntact();
  });
});

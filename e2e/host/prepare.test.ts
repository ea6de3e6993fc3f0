import type { Frame } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { quietApp, toApp } from '../support/guest.js';
import { installClock } from '../support/tab.js';
import { page, useHostPage, world } from './fixture.js';
import { installPreparing, mountPrepared, prepare, readPrepared, warmSteps } from './prepare-support.js';

useHostPage();

beforeEach(() => installPreparing(page));

const steps = (index = 0) => warmSteps(page, index);
const status = async (index = 0) => (await readPrepared(page, index)).status;
const asked = async (index = 0) => (await readPrepared(page, index)).asked;
const frames = () => page.locator('section iframe');
const isUp = (index = 0) => eventually(() => steps(index)).toEqual(['prepared']);
/** The inner frame of the only outer one, once it has a document of ours. */
const loader = async (): Promise<Frame> => {
  const find = () => page.frames().find((frame) => frame.parentFrame()?.parentFrame());
  await eventually(() => find()?.url()).toContain('/app?');
  const frame = find();
  if (!frame) throw new Error('unreachable: it was found');
  return frame;
};
/** Proxy and loader have said that they are there. */
const isIdle = async (): Promise<Frame> => {
  await isUp();
  const frame = await loader();
  await frame.waitForLoadState('load');
  return frame;
};
const ran = toApp(`document.title = 'ran'; await bridge.initialize();`);
const other = { csp: { connectDomains: ['https://api.example.com'] } };

describe('an app that is made ready', () => {
  test('is two pages of ours, out of sight and out of reach, until it is mounted into the same frames', async () => {
    await prepare(page, world.base, { html: ran });
    const inner = await isIdle();
    expect(await inner.locator('#shown').count()).toBe(0);
    expect(await inner.title()).not.toBe('ran');
    const frame = frames();
    await frame.evaluate((element) => Object.assign(element, { isTheSame: true }));
    expect(await frame.isVisible()).toBe(false);
    expect(await page.locator('section').evaluate((one) => [one.clientHeight, one.scrollHeight])).toEqual([
      0, 0,
    ]);
    expect(await page.locator('body').ariaSnapshot()).not.toMatch(/iframe|MCP App/);
    // Each of these keeps it out by itself, whatever a style sheet of the page does.
    expect(await frame.evaluate((element: HTMLElement) => [element.ariaHidden, element.tabIndex])).toEqual([
      'true',
      -1,
    ]);
    expect(await page.locator('section > div').evaluate((one: HTMLElement) => one.inert)).toBe(true);
    await page.locator('#field').focus();
    for (const key of ['Tab', 'Shift+Tab', 'Tab']) await page.keyboard.press(key);
    expect(await page.evaluate(() => document.activeElement?.localName)).not.toBe('iframe');
    expect(await asked()).toEqual(['resources/read', 'resources/list']);

    await mountPrepared(page);
    await eventually(status).toBe('ready');
    expect(await frame.evaluate((element) => 'isTheSame' in element)).toBe(true);
    expect(await inner.title()).toBe('ran');
    expect(await frame.isVisible()).toBe(true);
    expect(
      await frame.evaluate((element: HTMLElement) => [element.ariaHidden, element.tabIndex, element.title]),
    ).toEqual([null, 0, 'MCP App: show_weather']);
    expect(await page.locator('section > div').evaluate((one: HTMLElement) => one.inert)).toBe(false);
    expect(await steps()).toEqual(['prepared', 'used']);
    // Read once ahead, once for the run; listed once, as without it.
    expect(await asked()).toEqual(['resources/read', 'resources/list', 'resources/read']);
    expect((await readPrepared(page)).epoch).toBe(1);
  });

  test('is asked for before the code is there that frames it, where its tool says plainly what it is', async () => {
    const askedAtOnce = (options: Record<string, unknown>) =>
      page.evaluate(
        ([base, html, given]) => {
          window.prepareOne(base, { html }, given);
          return window.prepared.at(-1)?.asked.slice();
        },
        [world.base, ran, options] as const,
      );
    expect(await askedAtOnce({})).toEqual(['resources/read', 'resources/list']);
    await isUp();
    // It was that read, and no other.
    expect(await asked()).toEqual(['resources/read', 'resources/list']);
    expect(await askedAtOnce({ number: 1, family: 'openai' })).toEqual([]);
    expect(await askedAtOnce({ number: 2, tool: undefined })).toEqual([]);
    expect(await askedAtOnce({ number: 3, embedded: {} })).toEqual([]);
  });

  test('shows the HTML that the server has when it is mounted, and nothing of what was read before', async () => {
    await prepare(page, world.base, { html: quietApp });
    const inner = await isIdle();
    await page.evaluate((html) => window.prepared[0]?.behave({ html }), ran);
    await mountPrepared(page);
    await eventually(status).toBe('ready');
    expect(inner.isDetached()).toBe(true);
    expect(await (await loader()).title()).toBe('ran');
    expect(await frames().count()).toBe(1);
    expect(await steps()).toEqual(['prepared', 'dropped html-changed']);
  });

  test('is thrown away when the server asks for another policy meanwhile, and what is shown has that one', async () => {
    await prepare(page, world.base, { html: quietApp });
    const inner = await isIdle();
    await page.evaluate(([html, ui]) => window.prepared[0]?.behave({ html, ui }), [ran, other] as const);
    await mountPrepared(page);
    await eventually(status).toBe('ready');
    expect(inner.isDetached()).toBe(true);
    expect(await frames().count()).toBe(1);
    expect(await (await loader()).title()).toBe('ran');
    expect((await readPrepared(page)).connect).toEqual(['https://api.example.com']);
    expect(await steps()).toEqual(['prepared', 'dropped policy-changed']);
  });

  test('is thrown away when it is mounted with options that frame it differently', async () => {
    await prepare(page, world.base, { html: ran, ui: { permissions: { camera: {} } } });
    await isIdle();
    await page.evaluate(() => {
      const held = window.prepared[0];
      if (held) held.app = held.prepared.mount({ ...held.options, permissions: ['camera'] });
    });
    await eventually(status).toBe('ready');
    expect(await frames().getAttribute('allow')).toContain('camera;');
    expect(await steps()).toEqual(['prepared', 'dropped policy-changed']);
  });

  test('is loaded again in new frames, after it was used and after its run failed', async () => {
    await prepare(page, world.base, { html: ran });
    await isIdle();
    await page.evaluate(() => window.prepared[0]?.behave({ read: 'server-exited' }));
    await mountPrepared(page);
    await eventually(status).toBe('failed');
    expect(await steps()).toEqual(['prepared', 'dropped run-failed']);
    await page.evaluate(() => window.prepared[0]?.behave({ read: 'answers' }));
    for (const epoch of [2, 3]) {
      await page.evaluate(() => window.prepared[0]?.app?.reload());
      await eventually(async () => (await readPrepared(page)).epoch).toBe(epoch);
      await eventually(status).toBe('ready');
      expect(await (await loader()).title()).toBe('ran');
      expect(await frames().count()).toBe(1);
    }
  });

  test('leaves no frame behind when its run fails before it comes to frames', async () => {
    await prepare(page, world.base, { html: ran });
    await isIdle();
    await page.evaluate(() => {
      const held = window.prepared[0];
      if (!held) return;
      held.app = held.prepared.mount(held.options);
      held.emit({ type: 'lost', reason: 'It ended.' });
    });
    await eventually(status).toBe('failed');
    await eventually(() => frames().count()).toBe(0);
    expect(await steps()).toEqual(['prepared', 'dropped run-failed']);
    await page.evaluate(() => window.prepared[0]?.app?.reload());
    await eventually(status).toBe('ready');
    expect(await (await loader()).title()).toBe('ran');
  });

  test('is offered what it is mounted with, and nothing that it was only prepared with', async () => {
    await page.evaluate(
      ([base, html]) => {
        window.prepareOne(base, { html }, { onMessage: async () => true });
      },
      [world.base, ran] as const,
    );
    await isIdle();
    await page.evaluate(() => {
      const held = window.prepared[0];
      if (!held) return;
      const { server, tool, sandbox, recording } = held.options;
      held.app = held.prepared.mount({ server, tool, sandbox, recording });
    });
    await eventually(status).toBe('ready');
    const offered = await page.evaluate(() => window.prepared[0]?.app?.getSnapshot().hostCapabilities);
    expect(offered).not.toHaveProperty('message');
    expect(await steps()).toEqual(['prepared', 'used']);
  });

  test('is mounted by a read that began with the press, and only if the press was of this click', async () => {
    await prepare(page, world.base, { html: quietApp });
    await isIdle();
    await page.evaluate(() => window.prepared[0]?.prepared.begin());
    await eventually(asked).toHaveLength(3);
    await mountPrepared(page);
    await eventually(status).toBe('ready');
    expect(await asked()).toHaveLength(3);

    await installClock(page);
    await prepare(page, world.base, { html: quietApp }, { number: 1 });
    await isUp(1);
    await page.evaluate(() => window.prepared[1]?.prepared.begin());
    await page.clock.runFor(1_100);
    await page.evaluate((html) => window.prepared[1]?.behave({ html }), ran);
    await mountPrepared(page, 1);
    await eventually(() => status(1)).toBe('ready');
    expect(await asked(1)).toHaveLength(4);
  });

  test('that is mounted before it is ready begins from nothing, and no frame is left over', async () => {
    await prepare(page, world.base, { html: ran });
    await mountPrepared(page);
    await eventually(status).toBe('ready');
    expect(await frames().count()).toBe(1);
    expect(await page.locator('section > div').count()).toBe(1);
  });
});

describe('what goes wrong before anybody asked', () => {
  /** The page as a person has it: no frame, no words, no question. */
  const isQuiet = async (): Promise<void> => {
    expect(await frames().count()).toBe(0);
    expect(await page.locator('section').innerText()).toBe('');
    expect(await page.locator('dialog, [role=alert]').count()).toBe(0);
    expect((await readPrepared(page)).isOver).toBe(true);
  };

  test.for([
    ['a read that demands a sign-in', 'server-sign-in', 'dropped read-failed server-sign-in'],
    ['a server that is gone', 'server-exited', 'dropped read-failed server-lost'],
  ] as const)('%s is in the recording alone; the run then says it', async ([, read, entry]) => {
    await prepare(page, world.base, { html: ran, read });
    await eventually(steps).toEqual([entry]);
    await isQuiet();
    await mountPrepared(page);
    await eventually(async () => (await readPrepared(page)).failure).toBe(entry.split(' ').at(-1));
    await page.evaluate(() => window.prepared[0]?.behave({ read: 'answers' }));
    await page.evaluate(() => window.prepared[0]?.app?.reload());
    await eventually(status).toBe('ready');
  });

  test('a read that takes five seconds is given up, and the run reads for itself', async () => {
    await prepare(page, world.base, { html: ran, read: 'hangs' });
    await eventually(steps).toEqual(['dropped read-slow resource-timeout']);
    await isQuiet();
    await page.evaluate(() => window.prepared[0]?.behave({ read: 'answers' }));
    await mountPrepared(page);
    await eventually(status).toBe('ready');
  });

  test('a read that hangs does not hold up a run that comes before it is given up', async () => {
    await prepare(page, world.base, { html: ran, read: 'hangs' });
    await eventually(asked).toContain('resources/read');
    await page.evaluate(() => window.prepared[0]?.behave({ read: 'answers' }));
    await mountPrepared(page);
    await eventually(status).toBe('ready');
    expect(await steps()).toEqual(['dropped mounted-first']);
  });

  test.for([
    { event: { type: 'tools-changed' }, reason: 'server-changed' },
    { event: { type: 'resources-changed' }, reason: 'server-changed' },
    { event: { type: 'resource-updated', uri: 'ui://weather/app-0' }, reason: 'server-changed' },
    { event: { type: 'lost', reason: 'It ended.' }, reason: 'server-lost' },
  ] as const)('$event.type of the server lets go of the frames', async ({ event, reason }) => {
    await prepare(page, world.base, { html: ran });
    await isIdle();
    await page.evaluate((said) => window.prepared[0]?.emit(said), event);
    await eventually(steps).toEqual(['prepared', `dropped ${reason}`]);
    await isQuiet();
    await mountPrepared(page);
    await eventually(status).toBe('ready');
  });

  test('a proxy that does not come up in time is let go of, and the run has frames of its own', async () => {
    let asks = 0;
    await page.route('**/proxy?**', (route) => ((asks += 1) === 1 ? undefined : route.continue()));
    await prepare(page, world.base, { html: ran });
    await eventually(steps).toEqual(['prepared', 'dropped proxy-silent']);
    await isQuiet();
    await mountPrepared(page);
    await eventually(status).toBe('ready');
  });

  test('a proxy that is silent when the app is mounted is replaced', async () => {
    let asks = 0;
    await page.route('**/proxy?**', (route) => ((asks += 1) === 1 ? undefined : route.continue()));
    await prepare(page, world.base, { html: ran });
    await isUp();
    await mountPrepared(page);
    await eventually(status).toBe('ready');
    expect(await steps()).toEqual(['prepared', 'dropped proxy-silent']);
    expect(await frames().count()).toBe(1);
  });

  test('a place that is taken out of the page takes the frames along', async () => {
    await prepare(page, world.base, { html: ran });
    await isUp();
    await page.locator('section').evaluate((one) => one.remove());
    await eventually(steps).toEqual(['prepared', 'dropped removed']);
  });
});

describe('what is kept ready', () => {
  test('is two apps at most, however many somebody seems to want', async () => {
    await page.evaluate(() => {
      window.hostHeld.most = 0;
      const count = (): void => {
        const now = document.querySelectorAll('section iframe').length;
        window.hostHeld.most = Math.max(Number(window.hostHeld.most), now);
      };
      new MutationObserver(count).observe(document.body, { childList: true, subtree: true });
    });
    for (let number = 0; number < 10; number += 1) await prepare(page, world.base, { html: ran }, { number });
    await isUp(9);
    await isUp(8);
    expect(await frames().count()).toBe(2);
    expect(await page.evaluate(() => window.hostHeld.most)).toBeLessThanOrEqual(2);
    for (let number = 0; number < 8; number += 1)
      expect((await steps(number)).at(-1), String(number)).toBe('dropped too-many');
    expect(await page.locator('section > div').count()).toBe(2);
  });

  test('is let go of after a minute, which every sign that it is wanted begins anew', async () => {
    await installClock(page);
    await prepare(page, world.base, { html: ran });
    await isIdle();
    await page.clock.runFor(50_000);
    await page.evaluate(() => window.prepared[0]?.prepared.keep());
    await page.clock.runFor(50_000);
    expect(await steps()).toEqual(['prepared']);
    await page.clock.runFor(11_000);
    expect(await steps()).toEqual(['prepared', 'dropped unused']);
    expect(await frames().count()).toBe(0);
  });

  test('is let go of when the browser freezes the page, and when memory is short', async () => {
    await prepare(page, world.base, { html: ran });
    await isIdle();
    await page.evaluate(() => document.dispatchEvent(new Event('freeze')));
    expect(await steps()).toEqual(['prepared', 'dropped page-hidden']);
    await page.evaluate(() =>
      Object.defineProperty(performance, 'memory', {
        value: { usedJSHeapSize: 90, jsHeapSizeLimit: 100 },
        configurable: true,
      }),
    );
    await prepare(page, world.base, { html: ran }, { number: 1 });
    await eventually(() => steps(1)).toEqual(['dropped memory']);
    expect(await asked(1)).toEqual([]);
    expect(await frames().count()).toBe(0);
  });

  test('is told once, by the reason that its owner gives', async () => {
    await prepare(page, world.base, { html: ran });
    await isIdle();
    await page.evaluate(() => {
      window.prepared[0]?.prepared.drop('another-tool');
      window.prepared[0]?.prepared.drop('again');
    });
    expect(await steps()).toEqual(['prepared', 'dropped another-tool']);
  });
});

describe('an app that runs beside the frames of its next run', () => {
  /** Finds the documents of its own origin in other frames of the page. */
  const reaches = (attack: string): string =>
    toApp(`
      await bridge.initialize();
      const find = () => {
        for (let index = 0; index < top.length; index += 1) {
          try {
            const found = top[index][0];
            if (found && found !== window && found.document) return found;
          } catch {}
        }
      };
      const attack = (found) => { ${attack} };
      const timer = setInterval(() => {
        const found = find();
        if (!found || found.document.readyState !== 'complete') return;
        clearInterval(timer);
        document.title = 'reached';
        attack(found);
      }, 50);`);

  const showBoth = async (html: string): Promise<void> => {
    await prepare(page, world.base, { html });
    await mountPrepared(page);
    await eventually(status).toBe('ready');
    await page.locator('#field').focus();
    await prepare(page, world.base, { html });
  };

  test('cannot speak through them', async () => {
    await showBoth(
      reaches(`
        const script = found.document.createElement('script');
        script.textContent = "parent.postMessage({ jsonrpc: '2.0', method: 'ui/initialize', id: 1, params: {} }, '*')";
        found.document.body.append(script);`),
    );
    await eventually(() => steps(1)).toEqual(['prepared', 'dropped spoke-early']);
    await eventually(() => frames().count()).toBe(1);
  });

  test('cannot live on in them when it is closed', async () => {
    await showBoth(reaches(`found.setInterval(() => { found.document.title += '.'; }, 20);`));
    await isUp(1);
    await eventually(() =>
      page
        .frames()
        .map((frame) => frame.url())
        .filter((url) => url.includes('/app?')),
    ).toHaveLength(2);
    await page.evaluate(() => window.prepared[0]?.app?.close());
    await eventually(() => steps(1)).toEqual(['prepared', 'dropped app-ended']);
    await eventually(() => page.frames().length).toBe(1);
  });

  test('cannot have them loaded anew unseen', async () => {
    await showBoth(reaches('found.location.reload();'));
    await eventually(() => steps(1)).toEqual(['prepared', 'dropped spoke-early']);
  });

  test('gets no key by a focus in them', async () => {
    await showBoth(
      reaches(`
        found.addEventListener('keydown', ({ key }) => bridge.notify('notifications/message', { level: 'info', data: 'key ' + key }), true);
        setInterval(() => { try { found.focus(); } catch {} }, 5);`),
    );
    await eventually(() => steps(1)).toEqual(['prepared', 'dropped focus-taken']);
    await page.keyboard.type('secret');
    expect(await page.locator('#field').inputValue()).toBe('secret');
    const heard = await page.evaluate(() => JSON.stringify(window.prepared[0]?.recording.entries()));
    expect(heard).not.toContain('"key ');
  });
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { closeContexts, openBrowser } from '../support/browser.js';
import { startCasement, type RunningCasement } from '../support/casement.js';
import { createTempFolder, writeConfig } from '../support/config-file.js';
import { eventually } from '../support/eventually.js';
import { startLeakListener, type LeakListener } from '../support/leak-listener.js';
import { toMessages } from '../support/recorded.js';
import { fixtureServer } from '../support/server-commands.js';
import { openStage, shownFrame, type Stage } from '../support/stage.js';

const folder = createTempFolder();
let browser: Browser;
let casement: RunningCasement;
let leak: LeakListener;
let stage: Stage;
/** The page in which one guest follows another. */
let shared: Stage | undefined;

beforeAll(async () => {
  leak = await startLeakListener();
  const config = writeConfig(folder.path, {
    fixture: fixtureServer({ leak: leak.url }),
    neighbour: fixtureServer({ name: 'neighbour' }),
  });
  [browser, casement] = await Promise.all([
    openBrowser(),
    startCasement(['--config', config, '--trust-config']),
  ]);
});

afterEach(async ({ task }) => {
  if (stage !== shared || task.result?.state === 'fail') await stage?.close();
});

afterAll(async () => {
  await closeContexts();
  await casement?.stop();
  await leak?.close();
  folder.remove();
});

const open = (guest: string): Promise<Stage> =>
  openStage(browser, casement.url, { server: 'fixture', tool: guest, args: {}, run: true });

/** Begins a guest in a page of its own: for what is counted over the whole page, or outlives an app. */
const showAlone = async (guest: string): Promise<void> => {
  stage = await open(guest);
  await stage.reaches('ready');
};

/** Begins a guest where the one before it was, which has not harmed the page. */
const begin = async (guest: string): Promise<void> => {
  if (shared === undefined || shared.page.isClosed()) {
    stage = shared = await open(guest);
    return;
  }
  stage = shared;
  await stage.tool.selectOption(guest);
  await stage.run();
};

const show = async (guest: string): Promise<void> => {
  await begin(guest);
  await stage.reaches('ready');
};

const click = async (name: string) => (await stage.app()).getByRole('button', { name, exact: true }).click();

const frameBox = async () =>
  (await stage.page.locator(shownFrame).boundingBox()) ?? { width: NaN, height: NaN };

/** What was recorded of the app on the stage, and not of those before it. */
const recordingOfApp = async () => {
  const session = (await stage.snapshot())?.session;
  return (await stage.recording()).filter((entry) => entry.session === session);
};

const entriesOf = async (kind: string) => (await recordingOfApp()).filter((entry) => entry.kind === kind);

const hasMethod = (raw: unknown, method: string | RegExp): boolean =>
  typeof raw === 'object' &&
  raw !== null &&
  'method' in raw &&
  (typeof method === 'string' ? raw.method === method : method.test(String(raw.method)));

const droppedAs = async (reason: string): Promise<number> =>
  (await entriesOf('dropped'))
    // The proxy's count, as the message table describes it.
    .map(({ raw }) => raw as { count: number; reason: string })
    .filter((dropped) => dropped.reason === reason)
    .reduce((sum, { count }) => sum + count, 0);

/** Runs in the page: keeps the longest time its thread was not free. */
const watchPauses = (): void => {
  let last = performance.now();
  let longest = 0;
  setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    document.documentElement.dataset.longestPause = String(longest);
  }, 20);
};

const longestPause = () => stage.page.evaluate(() => Number(document.documentElement.dataset.longestPause));

const refused = -32000;

verifies(
  ['HOST-034', 'HOST-035', 'HOST-047', 'S1-34'],
  'malformed JSON-RPC is rejected, recorded and harms nothing',
  async () => {
    await show('malformed');
    const { ping, answers, portAnswered, sent } = await stage.report();
    expect(portAnswered).toBeUndefined();
    expect(ping).toMatchObject({ result: {} });
    for (const id of ['string-params', 'list-params', 'null-params', 'no-name', 'name-object'])
      expect(answers, id).toHaveProperty(id, expect.toBeOneOf([-32600, -32602]));
    // Everything the app sent is in the recording, as it was or as a count of what the proxy threw away.
    const accounted = async () => {
      const entries = await recordingOfApp();
      const begun = entries.findIndex(({ raw }) => hasMethod(raw, 'ui/notifications/initialized'));
      const received = entries.slice(begun + 1).filter((entry) => entry.leg === 'app' && entry.dir === 'in');
      // The proxy's own messages and answers to the host's pings are not what is counted here.
      const fromApp = received.filter(
        ({ kind, raw }) => kind !== 'response' && !hasMethod(raw, /^ui\/notifications\/sandbox-/),
      );
      return fromApp.length + (await droppedAs('not-json-rpc')) + (await droppedAs('too-large'));
    };
    await eventually(accounted).toBe(sent);
    expect(await entriesOf('invalid')).toContainEqual(
      expect.objectContaining({ raw: expect.objectContaining({ id: 'string-params' }) }),
    );
    expect(await stage.page.evaluate(() => 'polluted' in {})).toBe(false);
    expect(await stage.status()).toBe('ready');
  },
);

verifies(['HOST-078', 'S1-36'], 'sandbox messages sent by the app are not taken for the proxy', async () => {
  await show('reserved');
  const before = (await stage.snapshot())?.epoch;
  const report = await stage.report();
  expect(report).toMatchObject({ ping: { result: {} }, echo: { after: 'reserved' } });
  expect(await stage.status()).toBe('ready');
  expect((await stage.snapshot())?.epoch).toBe(before);
  expect(await (await stage.app()).locator('#smuggled').count()).toBe(0);
  await eventually(() => droppedAs('reserved')).toBe(6);
});

test('an app that plays the loader is loaded anew, and gains nothing', async () => {
  await show('forged-loader');
  const { epoch = 0 } = (await stage.snapshot()) ?? {};
  await click('Forge');
  await eventually(async () => (await stage.snapshot())?.epoch).toBe(epoch + 1);
  await eventually(() => stage.status()).toBe('ready');
  expect(JSON.stringify(await stage.recording())).not.toContain('after":"forging');
});

test('forged replies are ignored and recorded', async () => {
  await show('forged-replies');
  expect(await stage.report()).toMatchObject({ ping: { result: {} }, echo: { after: 'forging' } });
  expect(await stage.status()).toBe('ready');
  expect(JSON.stringify(await recordingOfApp())).toContain('"forged":true');
});

verifies(
  'HOST-029',
  'before the handshake calls are refused, not executed, and nothing else is sent',
  async () => {
    await show('early-calls');
    const { before, between, after, executed, sentTooEarly } = await stage.report<{
      before: unknown[];
      between: unknown[];
      after: unknown;
      executed: string[];
      sentTooEarly: string[];
    }>();
    for (const code of [...before, ...between]) expect(code).toEqual(expect.any(Number));
    expect(sentTooEarly).toEqual([]);
    expect(after).toEqual({ after: 'handshake' });
    expect(executed).not.toContain('app-only');
  },
);

verifies(
  ['HOST-022', 'HOST-023'],
  'tools the app may not use and tools of another server are refused',
  async () => {
    await show('forbidden-calls');
    const { answers, methodAnswers, foreignRead, allowed, executed } = await stage.report<{
      answers: Record<string, unknown>;
      methodAnswers: Record<string, unknown>;
      foreignRead: unknown;
      allowed: unknown;
      executed: string[];
    }>();
    for (const [name, answer] of Object.entries(answers)) expect(answer, name).toEqual(expect.any(Number));
    expect(answers).toMatchObject({
      'model-only': refused,
      'only-capitals': refused,
      'nobodys-tool': refused,
    });
    for (const [method, answer] of Object.entries(methodAnswers)) expect(answer, method).toBe(-32601);
    expect(foreignRead).toEqual(expect.any(Number));
    expect(allowed).toEqual([{ type: 'text', text: 'app-only answered' }]);
    expect(executed).not.toContain('model-only');
    expect(executed).not.toContain('neighbour-secret');
    const refusals = JSON.stringify(await entriesOf('decision'));
    expect(refusals).toContain('model-only');
  },
);

test.each([
  { flood: 'Send 10,000 log messages', method: 'notifications/message' },
  { flood: 'Send 10,000 calls', method: 'tools/call' },
])(
  'a flood of $method is throttled and counted, and the page stays responsive',
  async ({ flood, method }) => {
    await showAlone('flood');
    await stage.page.evaluate(watchPauses);
    await click(flood);
    const dropped = async () => (await stage.snapshot())?.dropped ?? 0;
    // With them go a few reports of the app's own page, which cost what its messages cost.
    await eventually(async () => (await stage.count('app', 'in', method)) + (await dropped())).toSatisfy(
      (count: number) => count >= 10_000 && count < 10_020,
    );
    expect(await dropped()).toBeGreaterThan(5_000);
    expect(await droppedAs('flood')).toBe(await dropped());
    expect(await stage.count('server', 'out', 'tools/call')).toBeLessThan(1_000);
    // Undisturbed the pause is a few tens of milliseconds; a page that takes the flood itself stops for many seconds.
    expect(await longestPause()).toBeLessThan(5_000);

    await click('Ping');
    expect(await stage.report()).toMatchObject({ result: {} });
    expect(await stage.status()).toBe('ready');
  },
);

test('a small message that unfolds into a huge one is dropped without holding up the page', async () => {
  await showAlone('unfolding');
  await stage.page.evaluate(watchPauses);
  await click('Send');
  expect(await stage.report()).toMatchObject({ result: {} });
  await eventually(() => droppedAs('too-large')).toBe(1);
  expect(await longestPause()).toBeLessThan(5_000);
});

test.each(['Leave', 'Leave by meta refresh'])(
  'self-navigation (%s) ends named and leaks nothing',
  async (way) => {
    await show('self-navigation');
    await click(way);
    await stage.reaches('failed');
    expect(await stage.failure()).toBe('app-navigated');
    expect(leak.requests).toEqual([]);
    expect(leak.connections()).toBe(0);
  },
);

test.each(['leaves-by-parsing', 'leaves-by-load', 'leaves-by-meta'])(
  'a guest that leaves before its handshake (%s) ends named at once and leaks nothing',
  async (guest) => {
    await begin(guest);
    await stage.reaches('failed');
    expect(await stage.failure()).toBe('app-navigated');
    expect(leak.requests).toEqual([]);
    expect(leak.connections()).toBe(0);
  },
);

test('a form that leaves sends nothing', async () => {
  await show('self-navigation');
  await click('Leave by form');
  // It is stopped by the policy and named so, or the app is ended for having tried to leave.
  await eventually(async () => {
    const { violations, failure } = (await stage.snapshot()) ?? {};
    return JSON.stringify([violations, failure?.code]);
  }).toMatch(/form-action|app-navigated/);
  expect(leak.requests).toEqual([]);
  expect(leak.connections()).toBe(0);
});

test('the leak listener would have seen any of them', async () => {
  const page = await browser.newPage();
  await page.goto(`${leak.url}/control`);
  await page.close();
  expect(leak.requests).toContain('GET /control');
});

test('an app fills its own cookie jar; a persistent one breaks other servers of the same name, but not the host', async () => {
  const plain = createServer((_request, response) => response.end('ok'));
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  // A TCP server always reports an AddressInfo.
  const { port } = plain.address() as AddressInfo;
  const visit = async (): Promise<number> => {
    const other = await stage.context.newPage();
    const answered = other.waitForEvent('response');
    await other.goto(`http://casement.localhost:${port}/`).catch(() => null);
    const status = (await answered).status();
    await other.close();
    return status;
  };
  await showAlone('cookie-flood');
  await click('Fill the jar');
  // The browser itself keeps the jar of such a frame small.
  expect((await stage.report()).cookies).toBeLessThan(20_000);
  expect(await visit()).toBe(200);

  const before = (await stage.snapshot())?.session;
  await stage.page.getByRole('combobox', { name: 'Storage' }).selectOption('persistent');
  await eventually(async () => (await stage.snapshot())?.session !== before).toBe(true);
  await stage.reaches('ready');
  await click('Fill the jar');
  await eventually(async () => (await stage.report()).cookies).toBeGreaterThan(200_000);
  await eventually(visit).toBe(431);
  plain.close();

  await stage.page.reload();
  await eventually(() => stage.page.locator('#stage').count()).toBe(1);
  if ((await stage.status()) === 'idle') await stage.run();
  await stage.reaches('ready');
  const button = async () => (await stage.app()).getByRole('button', { name: 'Fill the jar' });
  await eventually(async () => (await button()).isVisible()).toBe(true);
});

test('an app that never yields does not hold up the page', async () => {
  await showAlone('busy');
  const logged = async (text: string) =>
    toMessages(await stage.recording()).some(({ params }) => params?.data === text);
  await click('Block for a minute');
  await eventually(() => logged('busy from here')).toBe(true);
  const frames = await stage.page.evaluate(async () => {
    const draw = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let drawn = 0; drawn < 10; drawn += 1) await draw();
    return 10;
  });
  expect(frames).toBe(10);
  // The page drew ten frames and answered three questions, and the app is still in its loop.
  expect(await logged('busy until here')).toBe(false);
});

verifies('HOST-044', 'absurd sizes are clamped and a sane one is then followed', async () => {
  await show('size-bombs');
  const { width } = await frameBox();
  await click('Send absurd sizes');
  await click('Send a sane size');
  await eventually(async () => (await frameBox()).height).toBeCloseTo(432, -1);
  await click('Send absurd sizes');
  await eventually(async () => (await frameBox()).height).toBeGreaterThan(432);
  const bombed = await frameBox();
  expect(bombed.width).toBeLessThanOrEqual(Math.max(width, 1280));
  expect(bombed.height).toBeLessThan(20_000);
});

verifies('HOST-073', 'an app that never answers the teardown is closed all the same', async () => {
  await show('deaf');
  await stage.closeApp();
  await stage.reaches('closed');
  const messages = toMessages(await recordingOfApp());
  expect(messages.filter(({ method }) => method === 'ui/resource-teardown')).toHaveLength(1);
  expect(await stage.page.locator('#stage iframe').count()).toBe(0);
});

test('sec-B4 behind a question of the inspector an app gets one key at most, and Escape closes it', async () => {
  await showAlone('keyboard-thief');
  const { page } = stage;
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('hunter2-secret', { delay: 40 });
  const heard = (await entriesOf('notification')).filter(({ raw }) => /"key ."/.test(JSON.stringify(raw)));
  expect(heard.length).toBeLessThanOrEqual(1);
  await page.keyboard.press('Escape');
  await eventually(() => page.getByRole('dialog').count()).toBe(0);
});

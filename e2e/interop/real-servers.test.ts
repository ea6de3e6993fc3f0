import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { eventually } from '../support/eventually.js';
import { toMessages, toMethodsSentToApp } from '../support/recorded.js';
import { publishedServers } from '../support/server-commands.js';
import { openStage, shownFrame, type Stage } from '../support/stage.js';
import { browser, casement, useCasement } from '../support/use-casement.js';

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
let mapStage: Stage;

useCasement({
  'react-2': publishedServers.basicReact,
  'react-1': publishedServers.basicReact1,
  debug: publishedServers.debug,
  map: publishedServers.map,
  monitor: publishedServers.monitor,
});

beforeAll(async () => {
  // Its failure takes the whole handshake limit, so it starts before the others and is judged after them.
  mapStage = await openStage(browser, casement.url, { server: 'map', tool: 'show-map', run: true });
});

const hasCapabilities = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && 'hostCapabilities' in result;

const frameHeight = (stage: Stage) =>
  stage.page
    .locator(shownFrame)
    .boundingBox()
    .then((box) => box?.height ?? 0);

describe.each([
  { server: 'react-2', made: 'the official App 2.x' },
  { server: 'react-1', made: 'the official App 1.x' },
])('basic-react on $made', ({ server }) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(browser, casement.url, { server, tool: 'get-time', args: {}, run: true });
    await stage.reaches('ready');
  });
  afterAll(() => stage?.close());

  const shownTime = async () => (await stage.app()).locator('code').first().textContent();

  verifies(
    ['HOST-016', 'HOST-018', 'HOST-070', 'S2-46', 'S3-17'],
    'the tool result is shown by the app of its resource',
    async () => {
      await eventually(shownTime).toMatch(isoTime);
      const app = await stage.app();
      expect(await app.getByRole('button', { name: 'Get Server Time' }).isVisible()).toBe(true);
      const results = toMessages(await stage.recording()).filter(
        ({ leg, dir, method }) => leg === 'app' && dir === 'out' && method === 'ui/notifications/tool-result',
      );
      expect(results.at(-1)?.params?.content).toEqual([{ type: 'text', text: await shownTime() }]);
    },
  );

  verifies(
    ['HOST-077', 'S4-14', 'S4-31'],
    'a call-back from the app changes what the app shows',
    async () => {
      await eventually(shownTime).toMatch(isoTime);
      const before = await shownTime();
      const callsBefore = await stage.count('app', 'in', 'tools/call');
      await (await stage.app()).getByRole('button', { name: 'Get Server Time' }).click();
      await eventually(shownTime).not.toBe(before);
      expect(await shownTime()).toMatch(isoTime);
      // What the official App calls callServerTool.
      expect(await stage.count('app', 'in', 'tools/call')).toBe(callsBefore + 1);
    },
  );

  verifies('HOST-043', 'the height the app reports becomes the height of its frame', async () => {
    const reported = async () =>
      toMessages(await stage.recording())
        .filter(
          ({ leg, dir, method }) =>
            leg === 'app' && dir === 'in' && method === 'ui/notifications/size-changed',
        )
        .at(-1)?.params?.height;
    await eventually(reported).toBeGreaterThan(100);
    await eventually(async () =>
      Math.abs((await frameHeight(stage)) - Number(await reported())),
    ).toBeLessThan(4);
  });

  test('a theme change reaches the app, which goes on working', async () => {
    await stage.setTheme('dark');
    const themes = async () =>
      toMessages(await stage.recording())
        .filter(({ method }) => method === 'ui/notifications/host-context-changed')
        .map(({ params }) => params?.theme);
    await eventually(themes).toContain('dark');
    const before = await shownTime();
    await (await stage.app()).getByRole('button', { name: 'Get Server Time' }).click();
    await eventually(shownTime).not.toBe(before);
  });

  verifies(
    'HOST-067',
    'a reload of the app begins a new epoch with input and result once again',
    async () => {
      const { epoch = 0 } = (await stage.snapshot()) ?? {};
      await stage.reloadApp();
      await eventually(async () => (await stage.snapshot())?.epoch).toBeGreaterThan(epoch);
      await stage.reaches('ready');
      await eventually(shownTime).toMatch(isoTime);
      const current = (await stage.snapshot())?.epoch;
      const sent = toMethodsSentToApp((await stage.recording()).filter((entry) => entry.epoch === current));
      expect(sent.filter((method) => /tool-(input|result)$/.test(method))).toEqual([
        'ui/notifications/tool-input',
        'ui/notifications/tool-result',
      ]);
    },
  );
});

describe('the debug server', () => {
  const args = { contentType: 'text', includeStructuredContent: true };
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(browser, casement.url, { server: 'debug', tool: 'debug-tool', args, run: true });
    await stage.reaches('ready');
  });
  afterAll(() => stage?.close());

  const log = async () => (await stage.app()).locator('#event-log').textContent();

  verifies(
    ['HOST-066', 'S1-06', 'S2-44', 'S3-15'],
    'the app receives the arguments and then the result',
    async () => {
      await eventually(log).toContain('ontoolresult:');
      const text = (await log()) ?? '';
      expect(text.indexOf('connected:')).toBeGreaterThanOrEqual(0);
      expect(text.indexOf('ontoolinput:')).toBeGreaterThanOrEqual(0);
      expect(text.indexOf('ontoolinput:')).toBeLessThan(text.indexOf('ontoolresult:'));
      expect(text).toContain('"contentType":"text"');
    },
  );

  test('an app-only tool can be called back and its answer is shown', async () => {
    await (await stage.app()).locator('#call-debug-refresh-btn').click();
    await eventually(log).toContain('server-tool-result:');
    expect(await log()).toContain('counter');
  });

  verifies(
    'HOST-041',
    'the app shows the host context it was given, and the theme after it changed',
    async () => {
      const context = async () => (await stage.app()).locator('#host-context-info').textContent();
      expect(await context()).toMatch(/Display Mode\s*inline/);
      await stage.setTheme('dark');
      await eventually(context).toMatch(/Theme\s*dark/);
      await stage.setTheme('light');
      await eventually(context).toMatch(/Theme\s*light/);
    },
  );

  verifies('S5-78', 'version and capabilities agree with the official package', async () => {
    const published = '../servers/node_modules/@modelcontextprotocol/ext-apps/dist/src/app.js';
    // The two exports of the published package that judge a host's answer.
    const official = (await import(new URL(published, import.meta.url).href)) as {
      LATEST_PROTOCOL_VERSION: string;
      McpUiInitializeResultSchema: { parse(value: unknown): { hostCapabilities: object } };
    };
    const answer = toMessages(await stage.recording()).find(
      ({ leg, dir, result }) => leg === 'app' && dir === 'out' && hasCapabilities(result),
    )?.result;
    expect(answer).toHaveProperty('protocolVersion', official.LATEST_PROTOCOL_VERSION);
    // Reading it leaves out every key the package does not know.
    const { hostCapabilities } = official.McpUiInitializeResultSchema.parse(answer);
    expect(Object.keys(hostCapabilities).length).toBeGreaterThan(3);
    expect(answer).toHaveProperty('hostCapabilities', hostCapabilities);
  });

  test('a size the app asks for by hand becomes the size of its frame', async () => {
    const app = await stage.app();
    await app.locator('#auto-resize-toggle').uncheck();
    await app.locator('#resize-400x300-btn').click();
    await eventually(() => frameHeight(stage)).toBeCloseTo(300, -1);
    await app.locator('#resize-800x600-btn').click();
    await eventually(() => frameHeight(stage)).toBeCloseTo(600, -1);
  });

  verifies('S1-57', 'a link opens only after the user agreed, in a tab without an opener', async () => {
    const app = await stage.app();
    const dialog = stage.page.getByRole('dialog');
    const answer = (name: string) =>
      dialog.locator('button[aria-disabled="false"]', { hasText: name }).click();
    await app.locator('#open-link-btn').click();
    await eventually(() => dialog.textContent()).toContain('modelcontextprotocol.io');
    await answer('Cancel');
    await eventually(log).toMatch(/open-link-result:\s*\{"isError":true\}/);
    expect(stage.context.pages()).toHaveLength(1);

    await app.locator('#open-link-btn').click();
    const opened = stage.context.waitForEvent('page');
    const asked = stage.context.waitForEvent('request', (request) =>
      request.url().includes('modelcontextprotocol.io'),
    );
    await answer('Open');
    const page = await opened;
    expect(await (await asked).headerValue('referer')).toBeNull();
    expect(await page.evaluate(() => window.opener === null)).toBe(true);
    await eventually(log).toMatch(/open-link-result:\s*\{\}/);
    await page.close();
  });

  test('what the app says for the model is taken, and the last word counts', async () => {
    const app = await stage.app();
    const context = async () => (await stage.snapshot())?.modelContext;
    await app.locator('#update-context-text-btn').click();
    await eventually(context).toEqual({ content: [{ type: 'text', text: 'Current app state info' }] });
    await app.locator('#update-context-structured-btn').click();
    await eventually(context).toMatchObject({ structuredContent: { debugState: expect.anything() } });
    expect(await context()).not.toHaveProperty('content');
    await app.locator('#update-context-image-btn').click();
    await eventually(context).toMatchObject({ content: [{ type: 'image', mimeType: 'image/png' }] });
    expect(await log()).not.toContain('error:');
  });

  test.each([
    { mode: 'fullscreen', button: '#display-fullscreen-btn' },
    { mode: 'pip', button: '#display-pip-btn' },
    { mode: 'inline', button: '#display-inline-btn' },
  ])('the app gets the display mode $mode it asks for, and is told', async ({ mode, button }) => {
    // Where the app floats its buttons may be out of sight: what counts is that it asks.
    await (await stage.app()).locator(button).evaluate((element: HTMLElement) => element.click());
    await eventually(async () => (await stage.snapshot())?.displayMode).toBe(mode);
    await eventually(async () => (await stage.app()).locator('#host-context-info').textContent()).toMatch(
      new RegExp(`Display Mode\\s*${mode}`),
    );
    expect(await log()).toContain(`{"mode":"${mode}","result":{"mode":"${mode}"}}`);
  });

  verifies('HOST-081', 'the app, which says it has tools, is asked for them', async () => {
    await eventually(log).toContain('onlisttools:');
    expect((await stage.snapshot())?.appTools).toEqual([]);
  });

  test('a log line of the app is in the recording, and nowhere else', async () => {
    await (await stage.app()).locator('#log-warning-btn').click();
    const lines = async () =>
      toMessages(await stage.recording()).filter(
        ({ leg, dir, method }) => leg === 'app' && dir === 'in' && method === 'notifications/message',
      );
    await eventually(async () => (await lines()).map(({ params }) => params?.level)).toContain('warning');
    expect(await stage.count('server', 'out', 'notifications/message')).toBe(0);
  });

  test("a message is sent in the user's name only after the user agreed", async () => {
    const app = await stage.app();
    const dialog = stage.page.getByRole('dialog');
    await app.locator('#send-message-text-btn').click();
    await eventually(() => dialog.textContent()).toContain('Hello from debug app!');
    await dialog.locator('button[aria-disabled="false"]', { hasText: 'Send' }).click();
    await eventually(log).toContain('send-message-result:');
  });

  verifies(
    ['HOST-072', 'HOST-092', 'S2-43'],
    'closing asks the app first and waits for its answer',
    async () => {
      await stage.closeApp();
      await stage.reaches('closed');
      const messages = toMessages(await stage.recording());
      const asked = messages.findIndex(({ method }) => method === 'ui/resource-teardown');
      expect(messages[asked]).toMatchObject({ leg: 'app', dir: 'out' });
      const answer = messages
        .slice(asked + 1)
        .find(({ leg, dir, result }) => leg === 'app' && dir === 'in' && result);
      expect(answer).toBeDefined();
    },
  );
});

verifies(
  ['HOST-068', 'HOST-069'],
  'arguments that are streamed grow in the app, whole JSON each time, and end with the complete ones',
  async () => {
    const url = new URL(casement.url);
    url.searchParams.set('stream', 'model');
    // Long enough that much of it is still to come when the app is there, on a busy machine too.
    const words = 'One word after another, as a model writes them. ';
    const args = { contentType: 'text', largeInput: words.repeat(4) };
    const streamed = await openStage(browser, url.href, {
      server: 'debug',
      tool: 'debug-tool',
      args,
      run: true,
    });
    await streamed.reaches('ready');
    const log = async () => (await (await streamed.app()).locator('#event-log').textContent()) ?? '';
    await eventually(log).toContain('ontoolinputpartial:');
    await eventually(log).toContain('ontoolresult:');
    const sent = toMessages(await streamed.recording()).filter(
      ({ leg, dir, method }) =>
        leg === 'app' && dir === 'out' && method?.startsWith('ui/notifications/tool-'),
    );
    const methods = sent.map(({ method }) => method?.replace('ui/notifications/', ''));
    const partials = methods.filter((method) => method === 'tool-input-partial');
    expect(partials.length).toBeGreaterThan(2);
    expect(methods).toEqual([...partials, 'tool-input', 'tool-result']);
    const texts = sent.slice(0, partials.length).map(({ params }) => {
      // What a debug tool is given; the parts of it that are not written yet are not there.
      const written = params?.arguments as { largeInput?: string } | undefined;
      return written?.largeInput ?? '';
    });
    expect(texts.every((text) => args.largeInput.startsWith(text))).toBe(true);
    expect(new Set(texts).size).toBeGreaterThan(2);
    expect(sent[partials.length]?.params).toEqual({ arguments: args });
    await streamed.close();
  },
);

describe('the system monitor', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(browser, casement.url, {
      server: 'monitor',
      tool: 'get-system-info',
      args: {},
      run: true,
    });
    await stage.reaches('ready');
  });
  afterAll(() => stage?.close());

  const shown = async (id: string) => (await (await stage.app()).locator(id).textContent())?.trim() ?? '';

  test('shows what the tool found out about this machine', async () => {
    await eventually(() => shown('#info-hostname')).toBe(hostname());
    expect(await shown('#info-platform')).toContain(process.platform);
  });

  test('shows values that the app asks for again and again, and that change', async () => {
    await eventually(() => shown('#memory-percent')).toMatch(/^\d+%$/);
    await eventually(() => shown('#memory-detail')).toMatch(/^[\d.]+ GB \/ [\d.]+ GB$/);
    const polls = await stage.count('app', 'in', 'tools/call');
    await eventually(() => stage.count('app', 'in', 'tools/call')).toBeGreaterThan(polls + 1);
    // The picture of the load is drawn from measurements, so that no two of them are alike.
    const chart = async () =>
      (await stage.app()).locator('#cpu-chart').evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
    const before = await chart();
    await eventually(chart).not.toBe(before);
  });
});

verifies('S1-66', 'while an app starts, the page says that it is being loaded', async () => {
  const starting = await openStage(browser, casement.url, { server: 'map', tool: 'show-map', run: true });
  await starting.reaches('handshake');
  expect(await starting.page.getByText('Loading the app…').isVisible()).toBe(true);
  await starting.close();
});

test('the map, which cannot load its library offline, ends in a named handshake failure', async () => {
  await mapStage.reaches('failed', 50_000);
  // Its library tries eval and does without it: that is not why it is silent.
  expect(await mapStage.failure()).toBe('no-initialize');
  expect((await mapStage.snapshot())?.failure).toMatchObject({ step: 'handshake', code: 'no-initialize' });
  expect(await mapStage.page.getByRole('alert').textContent()).toContain('ui/initialize');
}, 60_000);

import { join } from 'node:path';
import { isRecord } from '@casement/protocol/start';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readFaults } from '../support/axe.js';
import { eventually } from '../support/eventually.js';
import { toChatView, withParameters } from './chat-support.js';
import { openInspector, type InspectorPage } from './support.js';
import { browser, casement, useCasement } from '../support/use-casement.js';

let inspector: InspectorPage;

useCasement(['--', process.execPath, join(import.meta.dirname, 'doctor-server.mjs')]);

const open = (tool: string) => openInspector(browser, casement.url, { tool, args: {}, run: true });

beforeAll(async () => {
  inspector = await open('script-error');
});
afterAll(() => inspector?.close());

const card = () => inspector.page.getByRole('region', { name: 'What the doctor sees' });
const line = () => inspector.page.getByRole('status', { name: 'Doctor' });
const stages = () => inspector.panel.getByRole('list', { name: 'Stages' }).getByRole('listitem');
const stageOf = (name: string) => stages().filter({ has: inspector.page.getByRole('heading', { name }) });

/** What the recording says of a stage, in its order. */
const verdicts = async (stage: string): Promise<unknown[]> =>
  (await inspector.stage.recording()).flatMap(({ kind, raw }) =>
    kind === 'lifecycle' && isRecord(raw) && raw.type === 'doctor' && raw.stage === stage ? [raw] : [],
  );

describe('an app whose script breaks before it connects', () => {
  test('is told on the stage while the app is waited for, with cause, fix and the way to the rest', async () => {
    await card().waitFor();
    expect(await inspector.stage.status()).toBe('handshake');
    const text = await card().innerText();
    expect(text).toContain('Cannot set properties of null');
    expect(text).toMatch(/Likely cause\s+An error that nothing catches/);
    expect(text).toMatch(/Fix\s+Fix the error/);
    expect(text).toContain('The app says so: its own page reported it.');
    expect(await card().locator('[aria-current="step"]').innerText()).toMatch(/Loaded\s+needs a look/);
    await card().getByRole('button', { name: 'Show all stages' }).press('Enter');
    await eventually(() => stages().count()).toBe(8);
    await eventually(() => stageOf('Loaded').innerText()).toMatch(/needs a look, the app says so[^]*Fix/);
    expect(await stageOf('Read').innerText()).toMatch(/passed, seen by the host\s+after \d/);
    await inspector.section('Findings (1)').waitFor();
    await eventually(() => verdicts('loaded')).toContainEqual(
      expect.objectContaining({ verdict: 'doubtful', witness: 'app', fix: expect.stringContaining('Fix') }),
    );
  });

  test('goes on when it connects after all, and its card goes', async () => {
    await (await inspector.stage.app()).evaluate('recover()');
    await inspector.stage.reaches('ready');
    await eventually(() => card().count()).toBe(0);
    await eventually(() => line().innerText()).toMatch(/^8 of 8 stages passed/);
    const report = await inspector.stage.doctor();
    expect(report?.stages.map(({ verdict }) => verdict)).toEqual(Array(8).fill('passed'));
    expect((await verdicts('painted')).length).toBe(1);
  });
});

describe('an app whose library does not load', () => {
  test('names the address on the stage, in the State tab and in the timeline', async () => {
    await inspector.choose('doctor', 'missing-library');
    await inspector.runApp();
    const address = 'https://library.example.com/chart.js';
    await eventually(() => card().innerText()).toContain(address);
    await eventually(() => stageOf('Painted').innerText()).toMatch(/failed[^]*shows nothing/);
    expect(await card().innerText()).toMatch(/Painted: failed[^]*put what it holds into the HTML/);
    expect(await line().innerText()).toMatch(/^Painted failed/);
    expect(await stageOf('Loaded').innerText()).toContain(address);
    await inspector.tab('Timeline').click();
    const search = inspector.panel.getByRole('searchbox', { name: 'Search timeline' });
    await search.fill(`kind:evidence ${address}`);
    await eventually(() => inspector.entries.getByRole('option').allInnerTexts()).toEqual([
      expect.stringContaining(`${address} did not load`),
    ]);
    await search.fill(`kind:lifecycle is:problem ${address}`);
    await eventually(async () =>
      (await inspector.entries.getByRole('option').allInnerTexts()).join(),
    ).toMatch(/Doctor\s+[^]*Loaded needs a look/);
  });

  test('has a card that everybody can read and reach, in a wide and in a narrow window', async () => {
    await inspector.tab('State').click();
    await stageOf('Painted').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await inspector.page.emulateMedia({ colorScheme });
      expect(await readFaults(inspector.page)).toEqual([]);
    }
    await inspector.page.setViewportSize({ width: 390, height: 844 });
    await inspector.button('App').click();
    await card().waitFor();
    expect(await readFaults(inspector.page)).toEqual([]);
    await card().getByRole('button', { name: 'Show all stages' }).click();
    await stageOf('Painted').waitFor();
    expect(await readFaults(inspector.page)).toEqual([]);
    await inspector.page.setViewportSize({ width: 1440, height: 900 });
  });
});

test('a healthy app shows one quiet line', async () => {
  await inspector.choose('doctor', 'healthy');
  await inspector.runApp();
  await eventually(() => line().innerText()).toMatch(/^8 of 8 stages passed/);
  expect(await card().count()).toBe(0);
  expect(await inspector.page.getByRole('list', { name: 'Findings about the app' }).count()).toBe(0);
});

test('the State tab says when an app drew, whether it fits, how long its scripts ran and how its size went', async () => {
  const fact = (name: RegExp) =>
    inspector.section('Drawing').locator('dt', { hasText: name }).locator('+ dd').innerText();
  await inspector.tab('State').click();
  await eventually(() => fact(/^First content$/)).toMatch(/^after \d/);
  await eventually(() => fact(/^Content$/)).toMatch(/^\d+ × \d+ px in a frame \d+ px wide: it fits$/);
  const app = await inspector.stage.app();
  await app.evaluate(() => {
    document.body.insertAdjacentHTML('beforeend', '<div style="width: 4000px; height: 900px">Wide</div>');
    // A task of the page's own: what a driver runs is none.
    setTimeout(() => {
      for (const end = performance.now() + 120; performance.now() < end;);
    });
  });
  await eventually(() => fact(/^Content$/)).toMatch(/^4\d\d\d × .*: \d+ px are out of sight to the side$/);
  await eventually(() => fact(/^Long tasks$/)).toMatch(/^(?:one of|\d+, the longest) \d/);
  await inspector.panel.getByText(/^Sizes so far/).click();
  const history = inspector.panel.locator('.size-history');
  await eventually(() => history.innerText()).toMatch(
    /after .*: the content is [^]*\nafter .*: the content is 4\d\d\d ×/,
  );
});

test('the chat gives the doctor the result that it knows: to the State tab and to the recording', async () => {
  const url = withParameters(casement.url, { view: 'chat', tab: 'state' });
  const { app, panel, say, stage, close } = toChatView(await openInspector(browser, url));
  await say('/failing-call');
  await app(0);
  await eventually(() => panel.innerText()).toMatch(
    /Fed\s+needs a look[^]*The result that the app got says that the call failed\./,
  );
  await eventually(() => panel.innerText()).toMatch(
    /content-missing[^]*Return a text beside structuredContent/,
  );
  const found = async () =>
    (await stage.recording()).flatMap(({ kind, raw }) =>
      isRecord(raw) && raw.type === 'doctor'
        ? [`${kind} ${String(raw.code ?? raw.stage)} ${String(raw.verdict ?? '')}`]
        : [],
    );
  await eventually(found).toEqual(
    expect.arrayContaining(['lifecycle fed doubtful', 'finding content-missing ']),
  );
  await close();
});

test('the chat says the failed stage in place of an app, with cause and fix, and writes it down', async () => {
  const url = withParameters(casement.url, { view: 'chat' });
  const { page, say, stage, close } = toChatView(await openInspector(browser, url));
  await say('/missing-page');
  const reason = page.locator('.casement-app-reason');
  await eventually(() => reason.innerText()).toMatch(
    /Failed stage: Read[^]*Seen: [^]*ui:\/\/doctor\/missing-page\.html[^]*Likely cause: [^]*Fix: /,
  );
  await eventually(async () => JSON.stringify(await stage.recording())).toMatch(
    /"type":"doctor","stage":"read","verdict":"failed"/,
  );
  await close();
});

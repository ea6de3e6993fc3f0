import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { browser, casement, useCasement } from '../support/use-casement.js';
import { openInspector, type InspectorPage } from './support.js';

// An app whose reports about itself try to be words of the page around it: wherever they are shown, they are text.

let inspector: InspectorPage;

useCasement(['--', process.execPath, join(import.meta.dirname, 'doctor-server.mjs')]);

beforeAll(async () => {
  inspector = await openInspector(browser, casement.url, { tool: 'pretender', args: {}, run: true });
});
afterAll(() => inspector?.close());

const card = () => inspector.page.getByRole('region', { name: 'What the doctor sees' });

/** What turns or covers text, ends a line of a terminal, or is an element of the app's making. */
const expectText = async (text: string): Promise<void> => {
  // eslint-disable-next-line no-control-regex -- these characters are looked for
  expect(text).not.toMatch(/[\u001b\u202e]/);
  expect(await inspector.page.locator('main img, [role="tabpanel"] img').count()).toBe(0);
  expect(await inspector.page.title()).not.toBe('1');
  expect(await inspector.page.getByRole('dialog').count()).toBe(0);
};

test('its words on the stage are on one line each, and said to be the app’s', async () => {
  await card().waitFor();
  expect(await card().locator('dt').allInnerTexts()).toEqual(['Seen', 'Likely cause', 'Fix']);
  for (const part of await card().locator('dd').allInnerTexts()) expect(part).not.toContain('\n');
  const text = await card().innerText();
  expect(text).toContain(String.raw`\u{202e}`);
  expect(text).toContain('The app says so: its own page reported it.');
  await expectText(text);
});

test('however many they are, what was seen of it stands among them, and is not said to be its word', async () => {
  const notes = inspector.page.getByRole('list', { name: 'Findings about the app' }).getByRole('listitem');
  await eventually(async () => (await notes.allInnerTexts()).join()).toContain('The result has no content');
  const texts = await notes.allInnerTexts();
  for (const text of texts.filter((one) => one.includes('Fix the error')))
    expect(text).toContain('(the app says so)');
  expect(texts.find((one) => one.includes('has no content'))).not.toContain('the app says so');
  await expectText(texts.join('\n'));
});

test('nor are they anything else in State, Console and Timeline', async () => {
  await inspector.tab('State').click();
  await inspector.section(/^Findings/).waitFor();
  const findings = inspector.section(/^Findings/).getByRole('listitem');
  // Ten errors, what did not load and what was blocked are its own words; the result was seen.
  await eventually(() => findings.count()).toBe(13);
  for (const finding of await findings.allInnerTexts()) {
    expect(finding).toContain(finding.includes('content-missing') ? 'seen by the host' : 'the app says so');
    expect(finding.split('\n').filter((line) => line.startsWith('Fix:'))).toHaveLength(1);
  }
  await expectText(await inspector.panel.innerText());
  await inspector.tab('Console').click();
  await inspector.panel.getByRole('list', { name: 'Failed loads' }).waitFor();
  await eventually(() => inspector.panel.innerText()).toContain('Logged came');
  await expectText(await inspector.panel.innerText());
  await inspector.tab('Timeline').click();
  await inspector.panel.getByRole('searchbox', { name: 'Search timeline' }).fill('kind:evidence');
  await eventually(() => inspector.entries.getByRole('option').count()).toBeGreaterThan(1);
  await expectText(await inspector.panel.innerText());
});

test('the stages that the host saw are as it saw them', async () => {
  const report = await inspector.stage.doctor();
  const seen = report?.stages.map(({ stage, verdict, witness }) => `${stage} ${verdict} ${witness}`);
  expect(seen).toEqual([
    'found passed host',
    'advertised passed host',
    'read passed host',
    'framed passed host',
    'loaded doubtful app',
    'handshake waiting host',
    'fed open host',
    'painted open host',
  ]);
});

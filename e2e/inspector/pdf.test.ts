import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { eventually } from '../support/eventually.js';
import { writePdf } from '../support/pdf-file.js';
import { toMessages } from '../support/recorded.js';
import { pdfServer } from '../support/server-commands.js';
import { openInspector, type InspectorPage } from './support.js';
import { browser, casement, useCasement } from '../support/use-casement.js';
import { shownFrame } from '../support/stage.js';

const pages = ['Casement opens on page one', 'And this is the second page'] as const;
let inspector: InspectorPage;

let file: string;
useCasement((folder) => {
  file = writePdf(folder, 'report.pdf', pages);
  return { pdf: pdfServer(file) };
});

beforeAll(async () => {
  const link = { server: 'pdf', tool: 'display_pdf', args: { url: file }, run: true };
  inspector = await openInspector(browser, casement.url, link);
  await inspector.stage.reaches('ready');
  await inspector.tab('State').click();
});

const pageText = async () => (await inspector.stage.app()).locator('#text-layer').innerText();
const textOf = (section: string | RegExp) => () => inspector.section(section).innerText();
const dialog = () => inspector.page.getByRole('dialog');
const answer = (name: string) => dialog().locator('button[aria-disabled="false"]', { hasText: name }).click();

test('the text of the page is in the frame, brought in pieces by an app-only tool', async () => {
  await eventually(pageText).toBe(pages[0]);
  expect(await inspector.stage.count('app', 'in', 'tools/call')).toBeGreaterThan(0);
  expect(await (await inspector.stage.app()).locator('#total-pages').innerText()).toBe('of 2');
});

verifies(
  ['HOST-009', 'HOST-038'],
  'the edge of the app names its server and the places it may reach',
  async () => {
    const edge = inspector.page.locator('[data-app-head]');
    expect(await edge.innerText()).toMatch(/App of pdf\s+Can reach https:\/\/unpkg\.com/);
    const [head, frame] = await Promise.all([
      edge.boundingBox(),
      inspector.page.locator(shownFrame).boundingBox(),
    ]);
    expect((head?.y ?? 0) + (head?.height ?? 0)).toBeLessThanOrEqual((frame?.y ?? 0) + 1);
  },
);

verifies('HOST-064', 'what the model would be told follows the page that is looked at', async () => {
  await eventually(textOf('Model context')).toContain(pages[0]);
  await (await inspector.stage.app()).locator('#next-btn').click();
  await eventually(pageText).toBe(pages[1]);
  await eventually(textOf('Model context')).toContain(pages[1]);
  expect(await textOf('Model context')()).not.toContain(pages[0]);
});

describe('the tool the app itself offers', () => {
  const form = () => inspector.panel.getByRole('form', { name: 'Call interact' });
  const call = async (args: unknown) => {
    await form().getByRole('textbox', { name: 'Arguments' }).fill(JSON.stringify(args));
    await form().getByRole('button', { name: 'Call' }).click();
  };

  verifies('HOST-098', 'is listed with its source and a name that is no tool of the server', async () => {
    await eventually(textOf(/^Tools of the app/)).toContain('interact');
    const text = await textOf(/^Tools of the app/)();
    expect(text).toContain('PDF Viewer 1.0.0');
    // The server has a tool of the same name.
    expect(text).toMatch(/app_\w+__interact/);
  });

  verifies('HOST-100', 'does its work on the page, and the timeline tells of it', async () => {
    await call({ action: 'navigate', page: 1 });
    await eventually(() => form().getByRole('status').innerText()).toMatch(/^Done in/);
    await eventually(pageText).toBe(pages[0]);
    await inspector.tab('Timeline').click();
    await inspector.panel.getByRole('searchbox').fill('tool app_');
    await eventually(() => inspector.entries.innerText()).toMatch(
      /app_\w+__interact was called: it answered/,
    );
    await inspector.tab('State').click();
  });

  test('says what is wrong with a call it does not take', async () => {
    await call({ action: 'no such action' });
    await eventually(() => form().innerText()).toMatch(/ERROR|Tool error|invalid/i);
  });
});

verifies(
  ['HOST-084', 'HOST-085'],
  'the file is saved only after the user agreed, and is the PDF',
  async () => {
    const button = (await inspector.stage.app()).locator('#download-btn');
    await button.click();
    await eventually(() => dialog().innerText()).toMatch(/Save this file\?[\s\S]+document\.pdf/);
    expect(await dialog().innerText()).toMatch(/application\/pdf, [\d.]+ (?:KB|bytes)/);
    await answer('Cancel');
    await eventually(() => button.isEnabled()).toBe(true);

    const saved = inspector.page.waitForEvent('download');
    await button.click();
    await answer('Save');
    const download = await saved;
    expect(download.suggestedFilename()).toBe('document.pdf');
    const content = readFileSync(await download.path(), 'latin1');
    expect(content.startsWith('%PDF-')).toBe(true);
    expect(content.trimEnd().endsWith('%%EOF')).toBe(true);
  },
);

describe('a choice for good', () => {
  const remembered = () => inspector.section(/^Remembered choices/);

  test('saves from then on without a question, until it is taken back', async () => {
    const button = (await inspector.stage.app()).locator('#download-btn');
    await eventually(() => button.isEnabled()).toBe(true);
    const first = inspector.page.waitForEvent('download');
    await button.click();
    await dialog()
      .getByRole('checkbox', { name: /^Always/ })
      .check();
    await answer('Save');
    await first;
    await inspector.tab('Security').click();
    await eventually(() => remembered().innerText()).toMatch(/Apps of pdf may save files without asking/);

    await eventually(() => button.isEnabled()).toBe(true);
    const second = inspector.page.waitForEvent('download');
    await button.click();
    await second;
    expect(await dialog().count()).toBe(0);

    await remembered()
      .getByRole('button', { name: /^Take back/ })
      .click();
    await eventually(() => remembered().innerText()).toContain('None');
    // So many questions in so short a time are refused for a while.
    const askAgain = async () => {
      if ((await dialog().count()) === 0 && (await button.isEnabled())) await button.click();
      return dialog().allInnerTexts();
    };
    await eventually(askAgain).toEqual([expect.stringContaining('Save this file?')]);
    await inspector.page.keyboard.press('Escape');
    await eventually(() => dialog().count()).toBe(0);
  });
});

test('a permission the app declares is off until it is given, and then in force', async () => {
  await inspector.tab('Security').click();
  const clipboard = inspector.section('Permissions').getByRole('checkbox', { name: /clipboard/ });
  const allow = () => inspector.page.locator(shownFrame).getAttribute('allow');
  expect(await clipboard.isChecked()).toBe(false);
  expect(await allow()).toContain("clipboard-write 'none'");
  const displayed = async () =>
    toMessages(await inspector.stage.recording()).filter(
      ({ leg, dir, params }) => leg === 'server' && dir === 'out' && params?.name === 'display_pdf',
    ).length;
  const calls = await displayed();
  expect(calls).toBe(1);
  await clipboard.click();
  await eventually(allow).toMatch(/clipboard-write(?! 'none')/);
  await inspector.stage.reaches('ready');
  await eventually(pageText).toBe(pages[0]);
  await eventually(() => clipboard.isChecked()).toBe(true);
  // The app was shown anew with the result there was.
  expect(await displayed()).toBe(calls);
});

verifies('HOST-093', 'the tools of the app are gone with it', async () => {
  await inspector.tab('State').click();
  await eventually(textOf(/^Tools of the app/)).toContain('interact');
  await inspector.button('Close app').click();
  await inspector.stage.reaches('closed');
  await eventually(async () => (await inspector.stage.snapshot())?.appTools).toEqual([]);
  await eventually(textOf(/^Tools of the app/)).not.toContain('interact');
});

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readFaults } from '../support/axe.js';
import { eventually } from '../support/eventually.js';
import { openInspector, type InspectorPage } from './support.js';
import { browser, casement, useCasement } from '../support/use-casement.js';

let inspector: InspectorPage;

useCasement(['--', process.execPath, join(import.meta.dirname, 'doctor-server.mjs')]);

beforeAll(async () => {
  inspector = await openInspector(browser, casement.url, { tool: 'console', args: {}, run: true });
  await inspector.stage.reaches('ready');
  await inspector.tab('Console').click();
});
afterAll(() => inspector?.close());

const lines = () => inspector.panel.getByRole('list', { name: 'Console of the app' }).locator('> li');
const texts = async () => (await lines().allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
const level = (name: RegExp) =>
  inspector.panel.getByRole('group', { name: 'Level' }).getByRole('button', { name });

describe('the Console tab', () => {
  test('shows what the app wrote, with level, repeats and place, as printable text', async () => {
    await eventually(texts).toEqual([
      expect.stringMatching(/^log Weather for .*Object \{ city: "Kyoto".*the app’s HTML:\d+:\d+/),
      expect.stringMatching(/^warning ×3 Slow answer/),
      expect.stringMatching(/^error No \\u\{202e\}forecast/),
      expect.stringMatching(/^debug Details/),
    ]);
    expect(await level(/Warnings/).innerText()).toBe('Warnings 3');
  });

  test('opens objects by the keyboard, without running code of the app', async () => {
    const [first] = await lines().all();
    const object = first?.getByRole('button', { name: /^[▸▾]?\s*Object/ });
    await object?.press('Enter');
    expect(await object?.getAttribute('aria-expanded')).toBe('true');
    await inspector.panel.getByText('secret: (computed when it is read)', { exact: true }).waitFor();
    await first?.getByRole('button', { name: /^[▸▾]?\s*days: Array/ }).press('Space');
    await first?.getByRole('button', { name: /^[▸▾]?\s*0: Object/ }).waitFor();
    await object?.press('Enter');
    expect(await first?.getByRole('button', { name: /^[▸▾]?\s*days: Array/ }).count()).toBe(0);
  });

  test('leads from the place of a line to its source, counted in the document', async () => {
    const [first] = await lines().all();
    await first?.getByText('Show source').press('Enter');
    const source = lines().first().getByRole('group', { name: 'Source', exact: true });
    await eventually(() => source.innerText()).toContain("console.log('Weather for', window.values);");
    expect(await source.innerText()).toMatch(/the app’s HTML:\d{2,}:/);
    expect(await texts()).toContainEqual(expect.stringMatching(/a script in the app’s HTML:\d:\d+/));
    await first?.getByText('Show source').press('Enter');
  });

  test('is in the timeline, line by line', async () => {
    await inspector.tab('Timeline').click();
    await inspector.panel.getByRole('searchbox', { name: 'Search timeline' }).fill('kind:evidence console');
    await eventually(async () =>
      (await inspector.entries.getByRole('option').allInnerTexts()).join(),
    ).toMatch(/console\.log: Weather for Object[^]*console\.error: No \\u\{202e\}forecast/);
    await inspector.tab('Console').click();
    await eventually(() => lines().count()).toBe(4);
  });

  test('is filtered by level and by words', async () => {
    await level(/Errors/).press('Enter');
    await eventually(() => lines().count()).toBe(1);
    await level(/Warnings/).press('Enter');
    await eventually(() => lines().count()).toBe(2);
    await level(/Errors/).click();
    await level(/Warnings/).click();
    const search = inspector.panel.getByRole('searchbox', { name: 'Search console' });
    await search.fill('kyoto');
    await eventually(() => lines().count()).toBe(1);
    await search.fill('nowhere');
    await inspector.panel.getByText('No line fits this filter.').waitFor();
    await search.fill('');
    await eventually(() => lines().count()).toBe(4);
  });

  test('takes a flood: the page stays in use, and no more than 500 lines are drawn', async () => {
    const app = await inspector.stage.app();
    // More lines than are drawn are there in the end: five hundred, and the errors.
    await app.evaluate(`
      for (let index = 0; index < 20; index++) setTimeout(() => { throw new Error('thrown ' + index); });
      let n = 0;
      const flood = setInterval(() => { for (let index = 0; index < 100; index++) console.info('flood ' + (n += 1)); }, 20);
      setTimeout(() => { clearInterval(flood); setTimeout(() => console.info('the flood is over'), 300); }, 8_000);`);
    await inspector.panel.getByText(/^\d+ older lines are not shown\.$/).waitFor();
    expect(await lines().count()).toBe(501);
    await inspector.tab('State').click();
    await inspector.section('Doctor').waitFor();
    await inspector.tab('Console').click();
  });

  test('draws only the lines that came, however many are there', async () => {
    await inspector.panel.getByText('the flood is over', { exact: true }).waitFor();
    const added = await lines()
      .first()
      .evaluateHandle((line) => {
        const counted = { lines: 0 };
        new MutationObserver((changes) => {
          for (const { addedNodes } of changes) counted.lines += addedNodes.length;
        }).observe(line.parentElement ?? line, { childList: true });
        return counted;
      });
    const app = await inspector.stage.app();
    await app.evaluate(`
      let at = 0;
      const slowly = setInterval(() => { console.info('after the flood ' + (at += 1)); if (at === 30) clearInterval(slowly); }, 30);`);
    await inspector.panel.getByText('after the flood 30', { exact: true }).waitFor();
    const { lines: count } = await added.jsonValue();
    expect(count).toBeGreaterThanOrEqual(30);
    expect(count).toBeLessThan(100);
  });

  test('has nothing serious against it in both themes, in a wide and in a narrow window', async () => {
    for (const width of [1440, 390]) {
      await inspector.page.setViewportSize({ width, height: 844 });
      if (width === 390) await inspector.button('Inspect').click();
      for (const colorScheme of ['light', 'dark'] as const) {
        await inspector.page.emulateMedia({ colorScheme });
        expect(await readFaults(inspector.page)).toEqual([]);
      }
    }
    await inspector.page.setViewportSize({ width: 1440, height: 900 });
  });

  test('lists loads that failed with address and element', async () => {
    await inspector.choose('doctor', 'missing-library');
    await inspector.runApp();
    const loads = inspector.panel.getByRole('list', { name: 'Failed loads' }).getByRole('listitem');
    await eventually(() => loads.allInnerTexts()).toEqual([
      expect.stringMatching(
        /https:\/\/library\.example\.com\/chart\.js\s+<script>, the browser does not say why/,
      ),
    ]);
  });
});

import type { RecordingEntry } from '@casement/protocol';
import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { fixtureServer } from '../support/server-commands.js';
import { browser, casement, useCasement } from '../support/use-casement.js';
import { openInspector, readOptions, type InspectorPage } from './support.js';

/** A little more than the page keeps. */
const told = 100_400;

const server = 'fixture';

useCasement({ [server]: fixtureServer() });

const toEntry = (index: number): RecordingEntry => {
  const id = index >> 1;
  const isRequest = index % 2 === 0;
  return {
    ...{ v: 1, seq: 1_000_000 + index, t: Date.now() - (told - index), writer: 'gateway' },
    ...{ session: 's', epoch: 0, leg: 'server', dir: isRequest ? 'out' : 'in' },
    kind: isRequest ? 'request' : 'response',
    raw: isRequest
      ? { jsonrpc: '2.0', id, method: 'tools/call', params: { name: `tool-${id}` } }
      : { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: `Answer ${id}` }] } },
  };
};

let inspector: InspectorPage;

const search = () => inspector.panel.getByRole('searchbox', { name: 'Search timeline' });
const count = async (): Promise<string> =>
  (await inspector.panel.getByRole('status').innerText()).replaceAll(/\s+/g, ' ');
const rows = () => readOptions(inspector.entries);
const list = () => inspector.entries;

beforeAll(async () => {
  inspector = await openInspector(browser, casement.url, { server, tool: 'well-behaved' });
  const { page } = inspector;
  let isFed = false;
  // The entries come the way all of the gateway's do; afterwards the page takes up the real stream.
  await page.route(
    (url) => url.pathname === '/api/events',
    (route) => {
      if (isFed) return route.continue();
      isFed = true;
      const events = Array.from({ length: told }, (_, index) => ({
        type: 'recording',
        entry: toEntry(index),
      }));
      return route.fulfill({
        contentType: 'text/event-stream',
        body: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''),
      });
    },
  );
  await page.reload();
});

test('of a longer recording the newest 100,000 entries are kept, and it says how many made room', async () => {
  await eventually(count, 60_000).toMatch(/^100,000( entries)?, \d+ older ones made room$/);
  await eventually(async () => Number(/(\d+) older/.exec(await count())?.[1])).toBeGreaterThanOrEqual(400);
});

test('only the rows in sight exist, and the newest is in sight', async () => {
  expect((await rows()).length).toBeLessThan(80);
  await list().press('Home');
  await eventually(() => list().getByRole('option', { selected: true }).getAttribute('aria-posinset')).toBe(
    '1',
  );
  await list().press('End');
  await eventually(() => list().getByRole('option', { selected: true }).getAttribute('aria-posinset')).toBe(
    '100000',
  );
  expect((await rows()).length).toBeLessThan(80);
});

test('a search finds the one entry among them, and every entry of a kind', async () => {
  await search().fill('"answer 50100"');
  await eventually(count).toMatch(/^1 of 100,000/);
  expect((await rows()).join()).toContain('Answer 50100');
  // What went is not found.
  await search().fill('"answer 100 "');
  await eventually(() => inspector.panel.innerText()).toContain('No entry fits this filter.');
  await search().fill('kind:request tool-501');
  await eventually(count).toMatch(/^\d+ of 100,000/);
  await eventually(async () => (await rows()).every((row) => row.includes('tool-501'))).toBe(true);
  await search().fill('');
  await eventually(count).toMatch(/^100,000/);
});

test('what is being read stays where it is when entries come and the oldest go', async () => {
  const place = () =>
    list().evaluate((element) => {
      const { top } = element.getBoundingClientRect();
      const shown = [...element.querySelectorAll('[role="option"]')];
      const first = shown.find((one) => one.getBoundingClientRect().top >= top);
      return {
        text: first?.textContent,
        offset: Math.round((first?.getBoundingClientRect().top ?? 0) - top),
      };
    });
  await list().evaluate((element) => {
    element.scrollTop = element.scrollHeight / 2 + 13;
  });
  await eventually(async () => (await place()).text).toMatch(/tool-|Answer/);
  const before = await place();
  const gone = await count();
  await inspector.button('Run').click();
  await inspector.stage.reaches('ready');
  await eventually(count).not.toBe(gone);
  expect(await place()).toEqual(before);
});

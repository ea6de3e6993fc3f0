// Many entries in the inspector's timeline: the longest task while they come in, and while somebody scrolls through them,
// filters them and looks at some.
import { median } from '../figures.mjs';
import { publishedServer } from '../published-server.mjs';
import { startCli } from '../start-cli.mjs';

const toEntry = (index, count) => {
  const id = index >> 1;
  const isRequest = index % 2 === 0;
  return {
    v: 1,
    seq: 1_000_000 + index,
    t: Date.now() - (count - index) * 5,
    writer: 'gateway',
    session: '',
    epoch: 0,
    leg: 'server',
    dir: isRequest ? 'out' : 'in',
    kind: isRequest ? 'request' : 'response',
    raw: isRequest
      ? { jsonrpc: '2.0', id, method: 'tools/call', params: { name: `tool-${id % 97}`, arguments: { id } } }
      : { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: `Answer ${id}` }] } },
  };
};

/** Entries as the gateway's event stream brings them. */
const toStream = (from, to, count) =>
  Array.from({ length: to - from }, (_, index) => {
    const event = { type: 'recording', entry: toEntry(from + index, count) };
    return `data: ${JSON.stringify(event)}\n\n`;
  }).join('');

/**
 * Stands in for the gateway's event stream: each time that the page opens it, it gets some more of the entries; when all
 * are told, the page takes up the real stream. Nothing but the first entry comes before `begin` is called.
 */
const feedEntries = async (page, count, atOnce) => {
  let told = 0;
  let begin;
  let end;
  const begun = new Promise((resolve) => (begin = resolve));
  const ended = new Promise((resolve) => (end = resolve));
  await page.route(
    (url) => url.pathname === '/api/events',
    async (route) => {
      if (told > 0) await begun;
      if (told === count) {
        end();
        return route.continue();
      }
      const from = told;
      told = from === 0 ? 1 : Math.min(count, from + atOnce);
      return route.fulfill({ contentType: 'text/event-stream', body: toStream(from, told, count) });
    },
  );
  return { begin, ended };
};

/**
 * The longest task of a page while `act` runs, in ms: by the clock, as the browser's long-task observer counts it (0
 * stands for none of 50 ms), and by the processor time it took, which a busy machine does not stretch.
 */
const watchTasks = async (browser, page, settleMs, act) => {
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', 'toplevel'] });
  await page.evaluate(() => {
    globalThis.longTasks = [];
    globalThis.taskWatch?.disconnect();
    globalThis.taskWatch = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.longTasks.push(duration);
    });
    globalThis.taskWatch.observe({ entryTypes: ['longtask'] });
  });
  await act();
  // Long tasks are told late.
  await page.waitForTimeout(settleMs);
  const clock = await page.evaluate(() => Math.max(0, ...globalThis.longTasks));
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) => name.endsWith('RunTask') && mains.has(`${pid} ${tid}`),
  );
  const processor = tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1000), 0);
  return { clock, processor };
};

const scrollThrough = (page, steps) =>
  page.evaluate(async (steps) => {
    const list = [...globalThis.document.querySelectorAll('#inspect-panel *')].reduce((tallest, element) =>
      element.scrollHeight - element.clientHeight > tallest.scrollHeight - tallest.clientHeight
        ? element
        : tallest,
    );
    const end = list.scrollHeight - list.clientHeight;
    const frame = () => new Promise((resolve) => globalThis.requestAnimationFrame(resolve));
    for (let step = 0; step <= steps; step += 1) {
      list.scrollTop = (end * step) / steps;
      await frame();
    }
    for (let step = 0; step < steps / 2; step += 1) {
      list.scrollTop -= 40;
      await frame();
    }
    if (end < 10_000) throw new Error('the timeline does not scroll; the bench must be adapted to the page.');
  }, steps);

const filterEntries = async (page, settleMs) => {
  const search = page.locator('#inspect-panel input[type="search"]').first();
  await search.pressSequentially('tool-42', { delay: 80 });
  await page.waitForTimeout(settleMs);
  await search.fill('');
};

const selectEntries = async (page) => {
  const list = page.getByRole('listbox', { name: 'Entries' });
  for (const index of [2, 6, 4]) {
    await list.getByRole('option').nth(index).click();
    await page.waitForTimeout(100);
  }
  await list.focus();
  for (const key of ['End', 'PageUp', 'PageUp', 'ArrowUp', 'ArrowUp', 'Home', 'PageDown', 'ArrowDown']) {
    await page.keyboard.press(key);
    await page.waitForTimeout(100);
  }
  await page.keyboard.press('Escape');
};

const toRows = (total, what, passes) =>
  ['processor', 'clock'].map((key) => {
    const casement = passes.map((pass) => pass[key]);
    const name = `${total.toLocaleString('en')} entries, ${what}: longest task, ${key}`;
    return { name, unit: 'ms', casement: median(casement), all: casement };
  });

/** The rows of the timeline bench. */
export const benchTimeline = async (browser, { rounds, entries: total, timelineSteps, settleMs }) => {
  const cli = await startCli(['--', process.execPath, publishedServer.script, '--stdio']);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    const { begin, ended } = await feedEntries(page, total, Math.min(10_000, total / 2));
    await page.goto(cli.url);
    await page.waitForFunction(() => globalThis.casement?.recording().length > 0);
    await page.waitForTimeout(settleMs);
    const watch = (act) => watchTasks(browser, page, settleMs, act);
    const append = await watch(async () => {
      begin();
      await ended;
      await page.waitForTimeout(settleMs);
    });
    const kept = await page.evaluate(() => globalThis.casement.recording().length);
    if (kept < Math.min(total, 1_000)) throw new Error(`of ${total} entries the page has ${kept}.`);
    const passes = { scroll: [], filter: [], select: [] };
    for (let pass = 0; pass < rounds; pass += 1) {
      passes.scroll.push(await watch(() => scrollThrough(page, timelineSteps)));
      passes.filter.push(await watch(() => filterEntries(page, settleMs)));
      passes.select.push(await watch(() => selectEntries(page)));
    }
    return [
      ...toRows(total, 'append', [append]),
      ...Object.entries(passes).flatMap(([what, measured]) => toRows(total, what, measured)),
      { name: `of ${total.toLocaleString('en')} entries the page keeps`, unit: 'entries', casement: kept },
    ];
  } finally {
    await context.close();
    await cli.stop();
  }
};

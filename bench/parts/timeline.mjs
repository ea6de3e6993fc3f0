// Many entries in the inspector's timeline: the longest task while somebody scrolls through and filters them.
import { median } from '../median.mjs';
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

const toStream = (count) =>
  Array.from({ length: count }, (_, index) => {
    const event = { type: 'recording', entry: toEntry(index, count) };
    return `data: ${JSON.stringify(event)}\n\n`;
  }).join('');

/**
 * The longest task of a page while `act` runs, in ms: by the clock, as the browser's long-task observer counts it (0
 * stands for none of 50 ms), and by the processor time it took, which a busy machine does not stretch.
 */
const watchTasks = async (browser, page, act) => {
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
  await page.waitForTimeout(1_000);
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

const scrollThrough = (page) =>
  page.evaluate(async () => {
    const list = [...globalThis.document.querySelectorAll('#inspect-panel *')].reduce((tallest, element) =>
      element.scrollHeight - element.clientHeight > tallest.scrollHeight - tallest.clientHeight
        ? element
        : tallest,
    );
    const end = list.scrollHeight - list.clientHeight;
    const frame = () => new Promise((resolve) => globalThis.requestAnimationFrame(resolve));
    for (let step = 0; step <= 120; step += 1) {
      list.scrollTop = (end * step) / 120;
      await frame();
    }
    for (let step = 0; step < 60; step += 1) {
      list.scrollTop -= 40;
      await frame();
    }
    if (end < 10_000) throw new Error('the timeline does not scroll; the bench must be adapted to the page.');
  });

const toRows = (total, what, passes) =>
  ['processor', 'clock'].map((key) => ({
    name: `${total.toLocaleString('en')} entries, ${what}: longest task, ${key}`,
    unit: 'ms',
    casement: median(passes.map((pass) => pass[key])),
    all: passes.map((pass) => pass[key]),
  }));

/** The rows of the timeline bench. */
export const benchTimeline = async (browser, { rounds, entries: total }) => {
  // The rest is the page's own: it keeps 20,000 of the gateway's and makes room in large steps.
  const count = total - 100;
  const cli = await startCli();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    let isFed = false;
    // The entries come the way all of the gateway's do; afterwards the page takes up the real stream.
    await page.route(
      (url) => url.pathname === '/api/events',
      (route) => {
        if (isFed) return route.continue();
        isFed = true;
        return route.fulfill({ contentType: 'text/event-stream', body: toStream(count) });
      },
    );
    await page.goto(cli.url);
    const isReady = () => page.waitForSelector('#stage[data-app-status="ready"]', { state: 'attached' });
    const size = () => page.evaluate(() => globalThis.casement.recording().length);
    await page.waitForFunction((least) => globalThis.casement?.recording().length >= least, count);
    await isReady();
    for (let runs = 0; runs < 10 && (await size()) < total; runs += 1) {
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.waitForTimeout(1_000);
      await isReady();
    }
    if ((await size()) < total) throw new Error(`the recording stays below ${total} entries.`);
    await page.waitForTimeout(1_000);

    const scroll = [];
    const filter = [];
    const search = page.locator('#inspect-panel input[type="search"]').first();
    for (let pass = 0; pass < rounds; pass += 1) {
      scroll.push(await watchTasks(browser, page, () => scrollThrough(page)));
      filter.push(
        await watchTasks(browser, page, async () => {
          await search.pressSequentially('tool-42', { delay: 80 });
          await page.waitForTimeout(1_000);
          await search.fill('');
        }),
      );
    }
    return [...toRows(total, 'scroll', scroll), ...toRows(total, 'filter', filter)];
  } finally {
    await context.close();
    await cli.stop();
  }
};

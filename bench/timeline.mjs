// 20,000 entries in the inspector's timeline: the longest task while somebody scrolls through and filters them.
import { startCli } from './start-cli.mjs';

const count = 20_000;

const toEntry = (index) => {
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

const toStream = () =>
  Array.from({ length: count }, (_, index) => {
    const event = { type: 'recording', entry: toEntry(index) };
    return `data: ${JSON.stringify(event)}\n\n`;
  }).join('');

const startWatching = (page) =>
  page.evaluate(() => {
    globalThis.longTasks = [];
    globalThis.taskWatch?.disconnect();
    globalThis.taskWatch = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.longTasks.push(duration);
    });
    globalThis.taskWatch.observe({ entryTypes: ['longtask'] });
  });

/** Tasks below 50 ms are not reported by browsers; 0 stands for "none". */
const longest = async (page) => {
  await page.waitForTimeout(1_000);
  return page.evaluate(() => Math.max(0, ...globalThis.longTasks));
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
    return end;
  });

/** The rows of the timeline bench. */
export const benchTimeline = async (browser) => {
  const cli = await startCli();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    let isFed = false;
    // The entries come the way all of the gateway's do; afterwards the page takes up the real stream.
    await page.route('**/api/events', (route) => {
      if (isFed) return route.continue();
      isFed = true;
      return route.fulfill({ contentType: 'text/event-stream', body: toStream() });
    });
    await page.goto(cli.url);
    await page.waitForFunction((least) => globalThis.casement?.recording().length >= least, count);
    await page.waitForSelector('#stage[data-app-status="ready"]', { state: 'attached' });
    await page.waitForTimeout(2_000);

    await startWatching(page);
    const height = await scrollThrough(page);
    if (height < 10_000)
      throw new Error('the timeline does not scroll; the bench must be adapted to the page.');
    const scroll = await longest(page);

    await startWatching(page);
    const search = page.locator('#inspect-panel input[type="search"]').first();
    await search.pressSequentially('tool-42', { delay: 80 });
    await page.waitForTimeout(1_000);
    await search.fill('');
    const filter = await longest(page);
    return [
      { name: 'timeline, 20,000 entries: longest task, scroll', unit: 'ms', casement: scroll },
      { name: 'timeline, 20,000 entries: longest task, filter', unit: 'ms', casement: filter },
    ];
  } finally {
    await context.close();
    await cli.stop();
  }
};

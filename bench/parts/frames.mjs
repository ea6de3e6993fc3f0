// Round trips and time to paint, Casement and the bare relay in turn, so that whatever slows the machine slows both.
import { serveBench } from '../pages/serve.mjs';
import { median } from '../median.mjs';

const measureOnce = async (browser, url, options) => {
  // A context of its own: nothing is cached from the run before.
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(url);
    await page.waitForFunction(() => typeof globalThis.runBench === 'function');
    return await page.evaluate((given) => globalThis.runBench(given), options);
  } finally {
    await context.close();
  }
};

/** Medians of `rounds` runs of each kind: { casement, bare }, each with painted, ping and call in ms. */
const compare = async (browser, url, rounds, options) => {
  const runs = { casement: [], bare: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const kind of ['casement', 'bare'])
      runs[kind].push(await measureOnce(browser, url, { kind, ...options }));
  const toMedians = (outcomes) =>
    Object.fromEntries(Object.keys(outcomes[0]).map((key) => [key, median(outcomes.map((one) => one[key]))]));
  return { casement: toMedians(runs.casement), bare: toMedians(runs.bare) };
};

const toRow = (name, { casement, bare }, key) => ({
  name,
  unit: 'ms',
  casement: casement[key],
  beside: bare[key],
  other: 'bare three-origin page',
});

/** The rows of the frame benches. */
export const benchFrames = async (browser, { paintRounds, tripRounds, trips: count, aheadMs }) => {
  const served = await serveBench();
  try {
    const cold = await compare(browser, served.url, paintRounds, { aheadMs: 0, trips: 0 });
    const warm = await compare(browser, served.url, paintRounds, { aheadMs, trips: 0 });
    const trips = await compare(browser, served.url, tripRounds, { aheadMs: 0, trips: count });
    return [
      toRow('round trip, ping', trips, 'ping'),
      toRow('round trip, tools/call', trips, 'call'),
      toRow('result to painted, cold', cold, 'painted'),
      toRow('result to painted, pre-warmed', warm, 'painted'),
    ];
  } finally {
    served.close();
  }
};

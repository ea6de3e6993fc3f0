// Round trips and time to paint, Casement and the bare relay in turn, so that whatever slows the machine slows both.
// What the two have in common, and why that is fair, stands in bench/pages/bare-pages.mjs.
import { toComparison } from '../figures.mjs';
import { runInPage } from '../in-page.mjs';
import { serveBench } from '../pages/serve.mjs';

/** Runs of each kind in turn: { casement, bare }, lists of what a run measured in ms. */
const compare = async (browser, url, rounds, options) => {
  const runs = { casement: [], bare: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const kind of ['casement', 'bare'])
      runs[kind].push(await runInPage(browser, url, 'runBench', { kind, ...options }));
  return runs;
};

const toRow = (name, { casement, bare }, key) =>
  toComparison({
    name,
    unit: 'ms',
    casement: casement.map((run) => run[key]),
    beside: bare.map((run) => run[key]),
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

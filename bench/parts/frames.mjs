// Round trips and time to paint, Casement and the bare relay in turn, so that whatever slows the machine slows both.
// What the two have in common, and why that is fair, stands in bench/pages/bare-pages.mjs.
import { toComparison } from '../figures.mjs';
import { runInPage } from '../in-page.mjs';
import { serveBench } from '../pages/serve.mjs';

/** The steps from the start to the paint, by what is seen of them from outside: a page that is fetched, or a message. */
const steps = [
  ['the outer page is asked for', { page: /^\/(?:proxy|relay)$/, is: 'asked' }],
  ['the outer page is there', { page: /^\/(?:proxy|relay)$/, is: 'there' }],
  ['the inner page is asked for', { page: /^\/(?:app|loader)$/, is: 'asked' }],
  ['the inner page is there', { page: /^\/(?:app|loader)$/, is: 'there' }],
  ['the loader is ready', { message: /loader-ready$/ }],
  ['ui/initialize', { message: /^ui\/initialize$/ }],
  ['initialized', { message: /initialized$/ }],
];

/** When each step of a run was taken, in ms since its start. */
const toSteps = ({ startedAt, heard }, requests) => {
  const pages = requests.map((request) => {
    const { startTime, responseEnd } = request.timing();
    const asked = startTime - startedAt;
    return { path: new URL(request.url()).pathname, asked, there: asked + responseEnd };
  });
  return steps.map(([, { page, is, message }]) =>
    page
      ? pages.find(({ path }) => page.test(path))?.[is]
      : heard.find(({ method }) => message.test(method))?.ms,
  );
};

/** Runs of each kind in turn: { casement, bare }, lists of what a run measured in ms. */
const compare = async (browser, url, rounds, options) => {
  const runs = { casement: [], bare: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const kind of ['casement', 'bare'])
      runs[kind].push(
        await runInPage(browser, url, 'runBench', { kind, ...options }, (outcome, requests) => ({
          ...outcome,
          steps: toSteps(outcome, requests),
        })),
      );
  return runs;
};

const toFastest = (runs) => [...runs].sort((a, b) => a.painted - b.painted)[0];

/** Where the time of the fastest cold run went, ours and the bare one's; too small to be compared by their ratio. */
const toStepRows = ({ casement, bare }) => {
  const [own, other] = [toFastest(casement), toFastest(bare)];
  return steps.flatMap(([name], index) => [
    { name: `the fastest of the cold runs: until ${name}`, unit: 'ms', casement: own.steps[index] },
    { name: `the same with bare frames`, unit: 'ms', casement: other.steps[index] },
  ]);
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
  const served = await serveBench('host-page');
  try {
    const cold = await compare(browser, served.url, paintRounds, { aheadMs: 0, trips: 0 });
    const warm = await compare(browser, served.url, paintRounds, { aheadMs, trips: 0 });
    const trips = await compare(browser, served.url, tripRounds, { aheadMs: 0, trips: count });
    return [
      toRow('round trip, ping', trips, 'ping'),
      toRow('round trip, tools/call', trips, 'call'),
      toRow('result to painted, cold', cold, 'painted'),
      toRow('result to painted, pre-warmed', warm, 'painted'),
      ...toStepRows(cold),
    ];
  } finally {
    served.close();
  }
};

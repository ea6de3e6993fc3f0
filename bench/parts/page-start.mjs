// The inspector's page from its navigation to the first control, beside a page that has one button and one script.
import { setTimeout as pause } from 'node:timers/promises';
import { toComparison } from '../figures.mjs';
import { openMeasured } from '../measured-page.mjs';
import { serveBareRun } from '../pages/serve-bare-run.mjs';
import { followRenderers } from '../processes.mjs';
import { publishedServer } from '../published-server.mjs';
import { createLink, startCli } from '../start-cli.mjs';

const usable = { selector: 'button', text: 'Run' };

const measureOnce = async (browser, renderers, url) => {
  // The page before this one costs something until it is gone.
  await pause(300);
  const before = renderers.processor();
  const visit = await openMeasured(browser, url, usable);
  try {
    const known = { usable: await visit.usable() };
    // What the page does on its own once it can be used counts, too.
    await pause(1_000);
    return { ...known, processor: renderers.processor() - before, ...(await visit.readRequests()) };
  } finally {
    await visit.close();
  }
};

const figures = [
  ['usable', 'navigation to Run enabled', 'ms'],
  ['processor', 'processor time of all renderers', 'ms'],
  ['bytes', 'bytes on the wire', 'B'],
  ['firstRequests', 'requests before Run is enabled', 'requests'],
];

/** The rows of the page's start. */
export const benchPageStart = async (browser, { startRounds }) => {
  const { script, tool, uri } = publishedServer;
  const renderers = await followRenderers(browser);
  const cli = await startCli(['--', process.execPath, script, '--stdio']);
  // Nobody runs its tool here.
  const bare = await serveBareRun({ serverUrl: 'http://localhost:9/', tool, uri });
  try {
    const own = [];
    const beside = [];
    for (let round = 0; round < startRounds; round += 1) {
      own.push(await measureOnce(browser, renderers, await createLink(cli.url)));
      beside.push(await measureOnce(browser, renderers, bare.url));
    }
    const rows = figures.map(([key, name, unit]) =>
      toComparison({
        name,
        unit,
        casement: own.map((run) => run[key]),
        beside: beside.map((run) => run[key]),
        other: 'bare page',
      }),
    );
    const loads = Math.max(...own.map((run) => run.loads));
    return [...rows, { name: 'the application is loaded', unit: 'times', casement: loads }];
  } finally {
    bare.close();
    await cli.stop();
  }
};

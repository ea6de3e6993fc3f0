// From the press on Run to the content of the published app, beside a page that does the same with bare frames.
// Warm: its tool was chosen a while before. Cold: it is run as soon as it can be. Again: a second run, a while later.
import { setTimeout as pause } from 'node:timers/promises';
import { toComparison } from '../figures.mjs';
import { openMeasured } from '../measured-page.mjs';
import { serveBareRun } from '../pages/serve-bare-run.mjs';
import { publishedServer, startPublishedServer } from '../published-server.mjs';
import { startCli } from '../start-cli.mjs';

const usable = { selector: 'button', text: 'Run' };

const visitPage = async (browser, url, act) => {
  const visit = await openMeasured(browser, url, usable);
  try {
    await visit.usable();
    const run = visit.page.getByRole('button', { name: 'Run', exact: true });
    return await act(async () => (await visit.runToContent(() => run.click())).ms);
  } finally {
    await visit.close();
  }
};

const measureOnce = async (browser, { coldUrl, warmUrl }, quietMs) => {
  const cold = await visitPage(browser, coldUrl, (run) => run());
  const others = await visitPage(browser, warmUrl, async (run) => {
    await pause(quietMs);
    const warm = await run();
    await pause(quietMs);
    return { warm, again: await run() };
  });
  return { cold, ...others };
};

/** The rows of the way from a press to an app. */
export const benchClickToContent = async (browser, { clickRounds, quietMs }) => {
  const server = await startPublishedServer();
  const cli = await startCli([server.url]);
  const bare = await serveBareRun({ serverUrl: server.url, ...publishedServer });
  const pages = {
    casement: { coldUrl: cli.url, warmUrl: cli.url },
    bare: { coldUrl: bare.url, warmUrl: `${bare.url}?warm` },
  };
  const runs = { casement: [], bare: [] };
  try {
    for (let round = 0; round < clickRounds; round += 1)
      for (const kind of ['casement', 'bare'])
        runs[kind].push(await measureOnce(browser, pages[kind], quietMs));
    return ['warm', 'cold', 'again'].map((key) =>
      toComparison({
        name: `press to the app's content, ${key}`,
        unit: 'ms',
        casement: runs.casement.map((run) => run[key]),
        beside: runs.bare.map((run) => run[key]),
        other: 'bare three-origin page',
      }),
    );
  } finally {
    bare.close();
    await cli.stop();
    await server.stop();
  }
};

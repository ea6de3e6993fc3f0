// From the press on Run to the content of the published app, beside a page that does the same with bare frames.
// Warm: its tool was chosen a while before. Cold: it is run as soon as it can be. Again: a second run, a while later.
import { setTimeout as pause } from 'node:timers/promises';
import { toComparison } from '../figures.mjs';
import { openMeasured } from '../measured-page.mjs';
import { serveBareRun } from '../pages/serve-bare-run.mjs';
import { publishedServer, startPublishedServer } from '../published-server.mjs';
import { createLink, startCli } from '../start-cli.mjs';

const usable = { selector: 'button', text: 'Run' };

const visitPage = async (browser, url, act) => {
  const visit = await openMeasured(browser, url, usable);
  try {
    await visit.usable();
    const run = visit.page.getByRole('button', { name: 'Run', exact: true });
    return await act(() => visit.runToContent(() => run.click()), visit.page);
  } finally {
    await visit.close();
  }
};

/** The steps of the page's own recording, in ms since the press; a bare page has none. */
const readSteps = async (page, pressedAt) => {
  const entries = await page.evaluate(() =>
    (globalThis.casement?.recording() ?? [])
      .filter(({ kind, writer }) => kind === 'lifecycle' && writer === 'page')
      .map(({ t, raw }) => ({ step: raw.type, at: t })),
  );
  const isFirst = ({ step }, index) => entries.findIndex((one) => one.step === step) === index;
  return entries.filter(isFirst).map(({ step, at }) => ({ step, ms: at - pressedAt }));
};

const measureOnce = async (browser, { toCold, toWarm, waitMs }, quietMs) => {
  const early = await visitPage(browser, await toCold(), async (run, page) => {
    await pause(waitMs);
    const { ms, pressedAt } = await run();
    return { cold: ms, steps: await readSteps(page, pressedAt) };
  });
  const others = await visitPage(browser, await toWarm(), async (run) => {
    await pause(quietMs);
    const { ms: warm } = await run();
    await pause(quietMs);
    return { warm, again: (await run()).ms };
  });
  return { ...early, ...others };
};

/** The rows of the way from a press to an app. */
export const benchClickToContent = async (browser, { clickRounds, quietMs }) => {
  const server = await startPublishedServer();
  const cli = await startCli([server.url]);
  const bare = await serveBareRun({ serverUrl: server.url, ...publishedServer });
  const toLink = () => createLink(cli.url);
  const pages = {
    casement: { toCold: toLink, toWarm: toLink, waitMs: 0 },
    // It prepares nothing however long it waits; pressed at once, it would meet a browser that is still busy with itself.
    bare: { toCold: () => bare.url, toWarm: () => `${bare.url}?warm`, waitMs: quietMs },
  };
  const runs = { casement: [], bare: [] };
  try {
    for (let round = 0; round < clickRounds; round += 1)
      for (const kind of ['casement', 'bare'])
        runs[kind].push(await measureOnce(browser, pages[kind], quietMs));
    const rows = ['warm', 'cold', 'again'].map((key) =>
      toComparison({
        name: `press to the app's content, ${key}`,
        unit: 'ms',
        casement: runs.casement.map((run) => run[key]),
        beside: runs.bare.map((run) => run[key]),
        other: 'bare three-origin page',
      }),
    );
    const [fastest] = [...runs.casement].sort((a, b) => a.cold - b.cold);
    const steps = fastest.steps.map(({ step, ms }) => ({
      name: `the fastest of the cold runs: until ${step}`,
      unit: 'ms',
      casement: ms,
    }));
    return [...rows, ...steps];
  } finally {
    bare.close();
    await cli.stop();
    await server.stop();
  }
};

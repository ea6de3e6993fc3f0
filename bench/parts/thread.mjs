// A conversation of a hundred messages with thirty apps, opened at its beginning and read to its end.
import { runInPage } from '../in-page.mjs';
import { median } from '../figures.mjs';
import { serveBench } from '../pages/serve.mjs';

/** The rows of the thread bench: the longest tasks, and how many apps were mounted before anything was scrolled. */
export const benchThread = async (browser, { rounds, messages, apps, settleMs }) => {
  const asked = { messages, apps, step: 24, settleMs };
  const served = await serveBench('thread');
  try {
    const runs = [];
    for (let round = 0; round < rounds; round += 1)
      runs.push(await runInPage(browser, served.url, 'runThread', asked));
    const name = `${asked.messages} messages, ${asked.apps} apps`;
    const toRow = (what, value, unit = 'ms') => ({ name: `${name}: ${what}`, unit, casement: value });
    return [
      toRow('longest task while opening', median(runs.map((run) => run.opening))),
      toRow('longest task while scrolling', median(runs.map((run) => run.scrolling))),
      toRow('longest task while scrolling, all rounds', Math.max(...runs.map((run) => run.scrolling))),
      toRow('longest gap of a 10 ms clock', median(runs.map((run) => run.gap))),
      toRow('apps mounted at first', Math.max(...runs.map((run) => run.mountedAtFirst)), 'apps'),
      toRow('apps mounted at the end', Math.min(...runs.map((run) => run.mountedAtEnd)), 'apps'),
    ];
  } finally {
    served.close();
  }
};

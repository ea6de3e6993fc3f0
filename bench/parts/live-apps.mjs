// Thirty apps alive on one page: how long the host's own thread is ever held up while they come up and while they talk.
import { runInPage } from '../in-page.mjs';
import { median } from '../figures.mjs';
import { serveBench } from '../pages/serve.mjs';

/** The rows of the crowd bench: medians of the longest tasks, and the longest of all rounds. */
export const benchLiveApps = async (browser, { rounds, apps: count, talkMs }) => {
  const served = await serveBench('crowd');
  try {
    const runs = [];
    for (let round = 0; round < rounds; round += 1)
      runs.push(await runInPage(browser, served.url, 'runCrowd', { count, talkMs }));
    const toRow = (name, values) => ({ name, unit: 'ms', casement: values });
    return [
      toRow(`${count} apps: longest host task while mounting`, median(runs.map((run) => run.mounting))),
      toRow(`${count} apps: longest host task while they talk`, median(runs.map((run) => run.talking))),
      toRow(`${count} apps: longest gap of a 10 ms clock`, median(runs.map((run) => run.gap))),
      toRow(
        `${count} apps: longest host task of all rounds`,
        Math.max(...runs.flatMap((run) => [run.mounting, run.talking])),
      ),
    ];
  } finally {
    served.close();
  }
};

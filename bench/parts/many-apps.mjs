// A page of a hundred apps, read to its end, with nothing set but the defaults: how many live at once, how long the
// page's thread is held up, and what all renderers take afterwards, beside a page of twelve.
import { setTimeout as pause } from 'node:timers/promises';
import { toComparison } from '../figures.mjs';
import { runInPage } from '../in-page.mjs';
import { serveBench } from '../pages/serve.mjs';
import { followRenderers } from '../processes.mjs';

/** So many apps may live on a page unless an embedder says otherwise. */
const liveApps = 12;

/** The rows of the bench of many apps. */
export const benchManyApps = async (browser, { manyRounds, manyApps, scrollStep, settleMs, restMs }) => {
  const served = await serveBench('many-apps');
  const renderers = await followRenderers(browser);
  const measure = (count) =>
    runInPage(browser, served.url, 'runMany', { count, step: scrollStep, settleMs }, async (outcome) => {
      const atOnce = renderers.memory();
      // A browser gives back what documents that are gone held when it has nothing else to do.
      await pause(restMs);
      return { ...outcome, atOnce, rested: renderers.memory() };
    });
  try {
    const few = [];
    const many = [];
    for (let round = 0; round < manyRounds; round += 1) {
      few.push(await measure(Math.min(liveApps, manyApps)));
      many.push(await measure(manyApps));
    }
    const toRow = (what, unit, value) => ({ name: `${manyApps} apps: ${what}`, unit, casement: value });
    const toMemory = (what, key) =>
      toComparison({
        name: `${manyApps} apps: ${what}`,
        unit: 'MB',
        casement: many.map((run) => run[key]),
        beside: few.map((run) => run[key]),
        other: `${Math.min(liveApps, manyApps)} apps`,
      });
    return [
      toRow('shown while they were in sight', 'apps', Math.min(...many.map((run) => run.seen))),
      toRow('live frames at most', 'frames', Math.max(...many.map((run) => run.liveAtMost))),
      // 0 stands for none over 50 ms, which is all a browser tells.
      toRow('longest task while scrolling', 'ms', Math.max(...many.map((run) => run.longest))),
      toRow('longest gap of a 10 ms clock', 'ms', Math.min(...many.map((run) => run.gap))),
      toMemory('memory of all renderers (PSS), read to the end', 'atOnce'),
      toMemory('memory of all renderers (PSS), after a rest', 'rested'),
    ];
  } finally {
    served.close();
  }
};

// A result in hand until a small guest has painted it, with each mode of `evidence` in turn: cold, and in frames that wait.
import { toComparison } from '../figures.mjs';
import { runInPage } from '../in-page.mjs';
import { serveBench } from '../pages/serve.mjs';

const modes = ['none', 'errors', 'full'];

/** The times of each mode, each as often the first of its round as the others. */
const measureModes = async (browser, url, rounds, aheadMs) => {
  const painted = { none: [], errors: [], full: [] };
  for (let round = 0; round < rounds; round += 1)
    for (let turn = 0; turn < modes.length; turn += 1) {
      const evidence = modes[(round + turn) % modes.length];
      const options = { kind: 'casement', aheadMs, trips: 0, evidence };
      const outcome = await runInPage(browser, url, 'runBench', options, (given) => given);
      painted[evidence].push(outcome.painted);
    }
  return painted;
};

/** The rows of what evidence costs an app on its way to the screen. */
export const benchEvidence = async (browser, { evidenceRounds, aheadMs }) => {
  const served = await serveBench('host-page');
  try {
    const cold = await measureModes(browser, served.url, evidenceRounds, 0);
    const warm = await measureModes(browser, served.url, evidenceRounds, aheadMs);
    return Object.entries({ cold, 'pre-warmed': warm }).flatMap(([start, painted]) =>
      ['errors', 'full'].map((mode) =>
        toComparison({
          name: `result to painted, ${start}, evidence '${mode}'`,
          unit: 'ms',
          casement: painted[mode],
          beside: painted.none,
          other: "evidence 'none'",
        }),
      ),
    );
  } finally {
    served.close();
  }
};

// A result in hand until a small guest has painted it, with each mode of `evidence` in turn.
import { toComparison } from '../figures.mjs';
import { runInPage } from '../in-page.mjs';
import { serveBench } from '../pages/serve.mjs';

const modes = ['none', 'errors', 'full'];

/** The rows of what evidence costs an app on its way to the screen. */
export const benchEvidence = async (browser, { evidenceRounds, aheadMs }) => {
  const served = await serveBench('host-page');
  const painted = { none: [], errors: [], full: [] };
  try {
    for (let round = 0; round < evidenceRounds; round += 1)
      for (let turn = 0; turn < modes.length; turn += 1) {
        // Each mode comes first as often as the others.
        const evidence = modes[(round + turn) % modes.length];
        const options = { kind: 'casement', aheadMs, trips: 0, evidence };
        const outcome = await runInPage(browser, served.url, 'runBench', options, (given) => given);
        painted[evidence].push(outcome.painted);
      }
  } finally {
    served.close();
  }
  return ['errors', 'full'].map((mode) =>
    toComparison({
      name: `result to painted, evidence '${mode}'`,
      unit: 'ms',
      casement: painted[mode],
      beside: painted.none,
      other: "evidence 'none'",
    }),
  );
};

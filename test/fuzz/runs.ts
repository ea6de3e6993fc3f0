import type { Parameters } from 'fast-check';

/** The seed of ordinary runs: the same on every machine, so that a failure is the change's and not the day's. */
const FIXED_SEED = 20_260_126;

const toNumber = (name: string): number | undefined => {
  const value = Number(process.env[name] ?? Number.NaN);
  return Number.isFinite(value) ? value : undefined;
};

/**
 * How long a property runs: `count` times with a fixed seed; `npm run fuzz` sets a seed of its own and multiplies
 * the count. A counterexample is printed with the seed and the path that bring it back.
 */
export const runs = (count = 100): Parameters<unknown> => ({
  seed: toNumber('CASEMENT_FUZZ_SEED') ?? FIXED_SEED,
  numRuns: Math.ceil(count * (toNumber('CASEMENT_FUZZ_FACTOR') ?? 1)),
  verbose: 0,
});

// npm run fuzz -- [--minutes N] [--seed S]: the properties of test/fuzz with new seeds until the time is over, then the floods.
import { randomInt } from 'node:crypto';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { root, runMain, runTool, say } from './lib/run.mjs';

/** How many times more often than in `npm test` each property runs in one round. */
const ROUND_FACTOR = 4;
const FLOOD_SECONDS = 15;

const readNumber = (name) => {
  const at = process.argv.indexOf(name);
  if (at === -1) return undefined;
  const value = Number(process.argv[at + 1]);
  if (!Number.isFinite(value) || value < 0) throw new Error(`${name} takes a number.`);
  return value;
};

const runTests = (projects, files, env) =>
  runTool('vitest/vitest.mjs', ['run', ...projects.map((name) => `--project=${name}`), ...files], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });

runMain(async () => {
  const minutes = readNumber('--minutes') ?? 10;
  const given = readNumber('--seed');
  await ensureInstalled();
  await ensureBuilt();
  const end = Date.now() + minutes * 60_000;
  let rounds = 0;
  let failed = 0;
  do {
    const seed = given ?? randomInt(2 ** 31);
    say(`fuzz: round ${rounds + 1}, seed ${seed}`);
    const code = await runTests(['unit', 'counting'], ['test/fuzz', 'test/regular-expressions.test.ts'], {
      CASEMENT_FUZZ_SEED: String(seed),
      CASEMENT_FUZZ_FACTOR: String(ROUND_FACTOR),
    });
    rounds += 1;
    if (code !== 0) {
      failed += 1;
      say(`fuzz: a counterexample, see above; npm run fuzz -- --seed ${seed} brings it back`);
    }
  } while (given === undefined && failed === 0 && Date.now() < end);
  say(`fuzz: floods of ${FLOOD_SECONDS} s each`);
  const floods = await runTests(['measuring'], ['e2e/security/stall/server-floods.test.ts'], {
    CASEMENT_FLOOD_SECONDS: String(FLOOD_SECONDS),
  });
  say(
    `fuzz: ${rounds} rounds, ${failed} with a counterexample; the floods ${floods === 0 ? 'were withstood' : 'were not withstood'}`,
  );
  if (failed > 0 || floods !== 0) process.exitCode = 1;
});

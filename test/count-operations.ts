import { Session } from 'node:inspector';
import type { Profiler } from 'node:inspector';
import { startNativeCount } from './native-operations.js';

/*
 * Counts how much a function does, in place of timing it: the number of times each block of our code (and of the
 * libraries it uses) ran, from V8's precise coverage, plus what native methods touched. The same work gives the same
 * number on every machine. V8 counts blocks only of code it compiles after it was asked to, so a test imports this
 * file before the code that it counts.
 *
 * A regular expression costs the steps of a matcher that goes back where the engine would. Not seen: object spread.
 */

const session = new Session();
session.connect();

/** Calls of the profiler answer before `post` returns. */
const ask = <Reply>(method: string, parameters: object = {}): Reply => {
  let reply: Reply | undefined;
  session.post(method, parameters, (error, result) => {
    if (error) throw new Error(error.message);
    reply = result as Reply;
  });
  if (reply === undefined) throw new Error(`${method} did not answer`);
  return reply;
};

const ROOT = new URL('../', import.meta.url).href;
const COUNTER = /\/test\/(?:(?:count|native)-operations|expressions\/[\w-]+)\.ts$/;
const RUNNERS = /\/node_modules\/(?:vitest|@vitest|vite|fast-check|pure-rand|@eslint-community)\//;

const isCounted = (url: string): boolean => url.startsWith(ROOT) && !COUNTER.test(url) && !RUNNERS.test(url);

ask('Profiler.enable');
const early = ask<Profiler.GetBestEffortCoverageReturnType>('Profiler.getBestEffortCoverage').result.find(
  ({ url }) => url.startsWith(`${ROOT}packages/`) && !url.endsWith('.test.ts'),
);
if (early)
  throw new Error(
    `import count-operations.ts first: ${early.url} was loaded before it and cannot be counted`,
  );
ask('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** Takes the counts since the last call. */
const takeBlocks = (): number => {
  const { result } = ask<Profiler.TakePreciseCoverageReturnType>('Profiler.takePreciseCoverage');
  let blocks = 0;
  for (const script of result) {
    if (!isCounted(script.url)) continue;
    for (const { ranges } of script.functions) for (const { count } of ranges) blocks += count;
  }
  return blocks;
};

/** Starts a count: `next` gives what was counted since the last call, `end` must be called once. */
const startCount = (): { next(): number; end(): void } => {
  const natives = startNativeCount();
  const next = (): number => {
    const counted = natives.take();
    const blocks = takeBlocks();
    // What reading the blocks itself took.
    natives.take();
    return counted + blocks;
  };
  return { next, end: natives.end };
};

const countEach = (works: readonly (() => unknown)[]): number[] => {
  const count = startCount();
  try {
    // Nothing that is counted runs between the end of one and the beginning of the next.
    count.next();
    return works.map((work) => {
      work();
      return count.next();
    });
  } finally {
    count.end();
  }
};

const countEachAsync = async (works: readonly (() => Promise<unknown>)[]): Promise<number[]> => {
  const count = startCount();
  const counts: number[] = [];
  try {
    for (const work of works) {
      count.next();
      await work();
      counts.push(count.next());
    }
  } finally {
    count.end();
  }
  return counts;
};

/** How many operations `run` takes. */
export const countOperations = (run: () => unknown): number => countEach([run])[0] ?? 0;

/** How many operations `run` takes until its promise is settled, with whatever else runs meanwhile. */
export const countOperationsAsync = async (run: () => Promise<unknown>): Promise<number> =>
  (await countEachAsync([run]))[0] ?? 0;

/** What to double: `input` makes a text or value of a size, which is not counted; `run` works on it, which is. */
export interface Doubling<Input, Result> {
  input(size: number): Input;
  run(input: Input): Result;
  /** The smaller of the two sizes. */
  size?: number;
}

/** How many times more operations twice the input costs: about 2 for linear work, 4 for quadratic. */
export const measureGrowth = <Input>({ input, run, size = 2000 }: Doubling<Input, unknown>): number => {
  // The first call also pays what is made once.
  run(input(1));
  const [smaller = 0, larger = 0] = countEach([input(size), input(2 * size)].map((each) => () => run(each)));
  return larger / smaller;
};

/** `measureGrowth` for work that ends later. */
export const measureGrowthAsync = async <Input>({
  input,
  run,
  size = 2000,
}: Doubling<Input, Promise<unknown>>): Promise<number> => {
  await run(input(1));
  const inputs = [input(size), input(2 * size)];
  const [smaller = 0, larger = 0] = await countEachAsync(inputs.map((each) => () => run(each)));
  return larger / smaller;
};

/** Twice the input may cost this much: linear work, or sorting, with room for odd sizes. */
export const LINEAR_GROWTH = 2.5;

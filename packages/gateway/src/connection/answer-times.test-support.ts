import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { portOf } from '../gateway.test-support.js';
import type { RunningGateway } from '../index.js';

const clientFile = join(import.meta.dirname, '../../test-fixtures/api-client.mjs');

/** What was seen of /api/status in one round. */
export interface Round {
  worst: number;
  answers: number;
  failures: number;
}

/** A process that speaks to the gateway, ended with the test. */
export const startClient = (gateway: RunningGateway) => {
  const child = spawn(process.execPath, [clientFile, String(portOf(gateway)), gateway.token], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (command: unknown): Promise<unknown> => {
    child.stdin.write(`${JSON.stringify(command)}\n`);
    return JSON.parse(String((await lines.next()).value));
  };
  return {
    /** Ends a round of asking for /api/status and begins the next. */
    // The client's own lines.
    endRound: async () => (await ask({ poll: true })) as Round,
    send: async (path: string, body?: unknown) =>
      (await ask({ path, body })) as { status: number; length: number },
  };
};

/** The longest answer of /api/status while something else happens. */
export const measureRound = async (
  client: ReturnType<typeof startClient>,
  work: () => Promise<unknown>,
): Promise<Round> => {
  await client.endRound();
  await work();
  return client.endRound();
};

/** A process that takes as much of a processor as a flooding server, and says nothing. */
export const keepBusy = (seconds: number): Promise<unknown> =>
  new Promise((resolve) => {
    const script = `const end = Date.now() + ${seconds * 1000}; while (Date.now() < end);`;
    spawn(process.execPath, ['-e', script], { stdio: 'ignore' }).once('exit', resolve);
  });

/** The smallest of a few tries: noise only adds. Ends early when a try is good enough. */
export const bestOf = async (
  rounds: number,
  limit: number,
  measure: () => Promise<number>,
): Promise<number> => {
  let best = Infinity;
  for (let round = 0; round < rounds && best > limit; round += 1) best = Math.min(best, await measure());
  return best;
};

import { spawn, type ChildProcess } from 'node:child_process';
import { listDescendants } from '../../support/processes.js';

/** A process that is ended with everything it started. */
export interface Child {
  readonly pid: number;
  said(): string;
  /** Rejects when the process ends before it was asked to. */
  readonly ended: Promise<never>;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) killFamily(child);
});

const killFamily = (child: ChildProcess): void => {
  if (child.pid === undefined) return;
  for (const pid of [...listDescendants(child.pid), child.pid]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself.
    }
  }
};

/** How a process is started. */
export interface ChildOptions {
  /** More of the environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** A command that runs the other one, in a network of its own for instance. */
  readonly within?: readonly string[] | undefined;
}

/** Starts a browser or its driver. */
export const startChild = (
  command: string,
  args: readonly string[],
  { env = {}, within = [] }: ChildOptions = {},
): Child => {
  const [program = command, ...given] = [...within, command, ...args];
  const child = spawn(program, given, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let text = '';
  const hear = (chunk: Buffer): void => {
    text = `${text}${chunk.toString()}`.slice(-4000);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const exit = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(String(error)));
    child.on('close', (code) => resolve(`it ended with code ${code}`));
  });
  const ended = exit.then((how): never => {
    running.delete(child);
    throw new Error(`${command}: ${how}. It said: ${text}`);
  });
  // Nobody may be waiting any more.
  ended.catch(() => undefined);
  return {
    pid: child.pid ?? -1,
    said: () => text,
    ended,
    stop: async () => {
      killFamily(child);
      await exit;
    },
  };
};

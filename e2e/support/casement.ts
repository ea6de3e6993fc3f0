import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listDescendants, listRunning } from './processes.js';

const root = join(import.meta.dirname, '..', '..');
const cli = join(root, 'packages', 'casement', 'dist', 'cli.js');

/** The line `--json` prints when everything listens. */
interface ReadyLine {
  readonly url: string;
  readonly token: string;
  readonly sandboxOrigin: string;
  readonly servers: readonly { readonly name: string; readonly status: string }[];
}

/** How a finished CLI ended and what it said. */
export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A CLI process that is ready. */
export interface RunningCasement extends ReadyLine {
  readonly pid: number;
  readonly port: number;
  readonly sandboxPort: number;
  stdout(): string;
  stderr(): string;
  descendants(): number[];
  /** Ends it by a signal, waits for it, and throws when anything it started outlives it. */
  stop(signal?: NodeJS.Signals): Promise<Finished>;
}

interface StartOptions {
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  /** The command as somebody installed it; the one of this repository unless given. */
  readonly program?: string;
}

const started = new Set<ChildProcess>();
/** What the one who runs the tests has configured is not what is tested, and is not changed. */
const userHome = mkdtempSync(join(tmpdir(), 'casement-user-'));
const userFolders = { XDG_CONFIG_HOME: join(userHome, 'config'), XDG_STATE_HOME: join(userHome, 'state') };
process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(userHome, { recursive: true, force: true });
});

const spawnCli = (args: readonly string[], { env, cwd, program }: StartOptions) => {
  const [command, words] = program === undefined ? [process.execPath, [cli, ...args]] : [program, args];
  const child = spawn(command, words, {
    cwd: cwd ?? root,
    env: { ...process.env, ...userFolders, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      started.delete(child);
      resolve({ code, signal, stdout, stderr });
    });
  });
  return { child, finished, stdout: () => stdout, stderr: () => stderr };
};

const rejectAfter = (milliseconds: number, reason: () => string) => {
  let timer: NodeJS.Timeout | undefined;
  const promise = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(reason())), milliseconds);
  });
  return { promise, cancel: () => clearTimeout(timer) };
};

/** Runs the CLI to its end; for the cases in which it must refuse to start. */
export const runCasement = async (args: readonly string[], options: StartOptions = {}): Promise<Finished> => {
  const { child, finished, stdout, stderr } = spawnCli(args, options);
  const limit = rejectAfter(30_000, () => `the CLI did not end. It said: ${stdout()}${stderr()}`);
  try {
    return await Promise.race([finished, limit.promise]);
  } finally {
    limit.cancel();
    child.kill('SIGKILL');
  }
};

const readyLine = async ({ child, finished, stdout, stderr }: ReturnType<typeof spawnCli>) => {
  const line = new Promise<string>((resolve) => {
    const look = (): void => {
      const end = stdout().indexOf('\n');
      if (end >= 0) resolve(stdout().slice(0, end));
    };
    child.stdout.on('data', look);
    look();
  });
  const ended = finished.then(({ code }): never => {
    throw new Error(`the CLI ended with code ${code} before it was ready: ${stderr()}`);
  });
  const limit = rejectAfter(60_000, () => `the CLI did not become ready: ${stdout()}${stderr()}`);
  try {
    return await Promise.race([line, ended, limit.promise]);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    limit.cancel();
  }
};

/** Starts the built CLI on free ports, as a user's script would, and waits for its line. */
export const startCasement = async (
  args: readonly string[] = [],
  options: StartOptions = {},
): Promise<RunningCasement> => {
  const cliProcess = spawnCli(['--json', '--no-open', '--port', '0', ...args], options);
  const { child, finished, stdout, stderr } = cliProcess;
  // The line is documented; a wrong shape shows up in the tests of the command line.
  const ready = JSON.parse(await readyLine(cliProcess)) as ReadyLine;
  const pid = child.pid ?? -1;
  return {
    ...ready,
    pid,
    port: Number(new URL(ready.url).port),
    sandboxPort: Number(new URL(ready.sandboxOrigin).port),
    stdout,
    stderr,
    descendants: () => listDescendants(pid),
    stop: async (signal = 'SIGTERM') => {
      const family = [pid, ...listDescendants(pid)];
      child.kill(signal);
      const limit = rejectAfter(20_000, () => `the CLI did not end after ${signal}: ${stderr()}`);
      try {
        const end = await Promise.race([finished, limit.promise]);
        const orphans = listRunning(family);
        if (orphans.length > 0) throw new Error(`processes outlived the CLI: ${orphans.join(', ')}`);
        return end;
      } finally {
        limit.cancel();
        child.kill('SIGKILL');
      }
    },
  };
};

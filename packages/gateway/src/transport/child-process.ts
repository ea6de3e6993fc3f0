import type { ChildProcess } from 'node:child_process';
import type { StdioServerConfig } from '../facts/server-config.js';

/**
 * The variables that every command may have: the list of the official client. It stands here because that client's
 * module for child processes, which is not needed otherwise, would be loaded for it.
 */
const harmlessNames =
  process.platform === 'win32'
    ? [
        'APPDATA',
        'COMSPEC',
        'HOMEDRIVE',
        'HOMEPATH',
        'LOCALAPPDATA',
        'PATH',
        'PATHEXT',
        'PROCESSOR_ARCHITECTURE',
        'PROGRAMDATA',
        'PROGRAMFILES',
        'PROGRAMFILES(X86)',
        'PROGRAMW6432',
        'SYSTEMDRIVE',
        'SYSTEMROOT',
        'TEMP',
        'USERNAME',
        'USERPROFILE',
        'WINDIR',
      ]
    : ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'];

const readHarmless = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    harmlessNames
      .map((name) => [name, process.env[name]] as const)
      // Some shells take a value that begins so for a function, and run it.
      .filter(([, value]) => value !== undefined && !value.startsWith('()')),
  );

/** The environment of a server process: the user's own for a command they typed, a safe list otherwise (C20), then its `env`. */
export const readChildEnvironment = (
  config: Pick<StdioServerConfig, 'env' | 'inheritEnv'>,
): NodeJS.ProcessEnv => ({
  ...(config.inheritEnv ? process.env : readHarmless()),
  ...config.env,
});

/** Loaded with the first child: a gateway with servers at addresses alone has none. At once, as an exit does not wait. */
export const readProcessModule = () => process.getBuiltinModule('node:child_process');

const live = new Set<number>();
let watching = false;

const signalGroup = (pid: number, signal: NodeJS.Signals): void => {
  if (process.platform === 'win32') {
    // Windows has no process groups; taskkill walks the tree instead. Argument array, no shell (T16).
    readProcessModule().execFile('taskkill', ['/pid', String(pid), '/T', '/F'], () => undefined);
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // ESRCH: nobody is left in the group, which is what was wanted.
  }
};

const hasGroup = (pid: number): boolean => {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 0);
    return true;
  } catch {
    return false;
  }
};

const until = async (condition: () => boolean, limitMs: number): Promise<boolean> => {
  const end = performance.now() + limitMs;
  while (!condition()) {
    if (performance.now() >= end) return false;
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  return true;
};

/** Registers a child that leads its own group, so that even a dying gateway takes the group along (C25). */
export const watchProcessGroup = (child: ChildProcess): void => {
  const { pid } = child;
  if (pid === undefined) return;
  live.add(pid);
  if (!watching) {
    watching = true;
    process.on('exit', () => {
      for (const leader of live) signalGroup(leader, 'SIGKILL');
    });
  }
  child.once('exit', () => {
    live.delete(pid);
    // What the server started must not outlive it: nobody else would end it.
    signalGroup(pid, 'SIGKILL');
  });
};

/** Ends a child and everything in its group: asks by closing stdin, then SIGTERM, then SIGKILL. */
export const endProcessGroup = async (
  child: ChildProcess,
  { politeMs = 200, termMs = 800 }: { politeMs?: number; termMs?: number } = {},
): Promise<void> => {
  const { pid } = child;
  if (pid === undefined) return;
  const gone = (): boolean => child.exitCode !== null || child.signalCode !== null;
  child.stdin?.end();
  if (!(await until(gone, politeMs))) signalGroup(pid, 'SIGTERM');
  if (!(await until(() => gone() && !hasGroup(pid), termMs))) signalGroup(pid, 'SIGKILL');
  await until(gone, 2000);
  live.delete(pid);
};

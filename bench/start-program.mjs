import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { canReadProcesses, listTree, readTreeProcessor } from './processes.mjs';

/** A port that nobody has now. */
export const findFreePort = async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
};

const isAnswered = (url) =>
  new Promise((resolve) => {
    const request = get(url, (response) => {
      response.resume();
      resolve(true);
    });
    request.on('error', () => resolve(false));
  });

const isRunning = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/**
 * Starts a command and waits until it has printed what `address` finds in its output and `url` answers. Gives what it
 * printed, and what that took: the clock, and on Linux the processor time of the command with all that it started.
 */
export const startProgram = async ({ command, args, env = {}, cwd, address, url, timeoutMs = 60_000 }) => {
  const begun = performance.now();
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (printed += text));
  let isGone = false;
  const gone = new Promise((resolve) => child.on('close', resolve)).then(() => (isGone = true));
  // A command that cannot be started says so here, and is gone, too.
  child.on('error', ({ message }) => (printed += message));
  const stop = async () => {
    const tree = canReadProcesses ? listTree(child.pid) : [child.pid];
    child.kill('SIGTERM');
    // Some commands wait for their connections to end, and some leave their children behind.
    await Promise.race([gone, pause(3_000, undefined, { ref: false })]);
    for (const pid of tree) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    await gone;
  };
  const isReady = async () => address.test(printed) && (url === undefined || (await isAnswered(url)));
  while (!(await isReady())) {
    if (isGone || performance.now() - begun > timeoutMs) {
      const reason = isGone ? 'ended' : 'was not ready in time';
      if (!isGone) await stop();
      throw new Error(`the command ${reason}: ${printed.slice(-300)}`);
    }
    await pause(5);
  }
  const ready = performance.now() - begun;
  const processor = canReadProcesses ? readTreeProcessor(child.pid) : undefined;
  return { pid: child.pid, found: address.exec(printed), ready, processor, stop };
};

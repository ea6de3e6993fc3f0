import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '../../support/eventually.js';

/** The first of three ports that are free now. */
export const findPorts = async (): Promise<number> => {
  for (;;) {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A listening TCP server has an AddressInfo.
    const { port } = server.address() as AddressInfo;
    const others = [port + 1, port + 2].map((next) => createServer().listen(next, '127.0.0.1'));
    const areFree = await Promise.all(
      others.map(
        (other) =>
          new Promise<boolean>((resolve) => {
            other.once('listening', () => resolve(true)).once('error', () => resolve(false));
          }),
      ),
    );
    await Promise.all([server, ...others].map((open) => new Promise((resolve) => open.close(resolve))));
    if (areFree.every(Boolean)) return port;
  }
};

interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/**
 * Starts a program that serves a chat and waits for the address it prints. Its ports were free a moment ago; if another
 * test was faster, the program ends, and is started again on others.
 */
export const startPage = async (
  { command, args, cwd }: Command,
  tries = 3,
): Promise<{ readonly address: string; close(): Promise<void> }> => {
  const port = await findPorts();
  // A group of its own, so that npm and what it started end together.
  const example = spawn(command, args, {
    cwd,
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  let printed = '';
  example.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const close = async (): Promise<void> => {
    if (example.pid === undefined || example.exitCode !== null) return;
    process.kill(-example.pid);
    await once(example, 'exit');
  };
  const isPrinted = (): boolean => printed.includes('The chat is at ');
  try {
    await waitUntil(
      () => isPrinted() || example.exitCode !== null,
      (isSettled) => isSettled,
      { what: 'The address of the chat', timeout: 60_000 },
    );
  } catch (error) {
    await close();
    throw error;
  }
  if (!isPrinted() && tries > 1) return startPage({ command, args, cwd }, tries - 1);
  return { address: /The chat is at (http:\S+)/.exec(printed)?.[1] ?? '', close };
};

/** Starts an example as its README says. */
export const startExample = (workspace: string): ReturnType<typeof startPage> =>
  startPage({
    command: 'npm',
    args: ['start', '--workspace', workspace],
    cwd: fileURLToPath(new URL('../../../', import.meta.url)),
  });

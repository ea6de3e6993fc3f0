import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeContexts, openBrowser } from '../support/browser.js';
import { createTempFolder } from '../support/config-file.js';
import { eventually } from '../support/eventually.js';
import { toStage } from '../support/stage.js';

const cli = join(import.meta.dirname, '../../packages/casement/dist/cli.js');
const forward = join(import.meta.dirname, '../fixtures/forward.mjs');

/** A network of its own has no way out and no way in: not even its loopback is ours. */
const elsewhere = ['--map-root-user', '--net'];
const bringUp = [
  'import fcntl, os, socket, struct, sys',
  "fcntl.ioctl(socket.socket(), 0x8914, struct.pack('16sh', b'lo', 0x41))",
  'os.execvp(sys.argv[1], sys.argv[1:])',
].join('; ');
/** Only Linux has such networks, and not everybody may make one. */
const canLeave = process.platform === 'linux' && spawnSync('unshare', [...elsewhere, 'true']).status === 0;

const folder = createTempFolder();
const running: ChildProcess[] = [];
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await closeContexts();
  // Each leads a group: what it started goes with it.
  for (const { pid } of running) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  folder.remove();
});

const run = (command: string, args: readonly string[]) => {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  running.push(child);
  return child;
};

/** Two ports side by side that are free here. */
const findFreePair = async (): Promise<number> => {
  const listen = (port: number) =>
    new Promise<ReturnType<typeof createServer>>((resolve, reject) => {
      const server = createServer().once('error', reject);
      server.listen(port, '127.0.0.1', () => resolve(server));
    });
  for (;;) {
    const first = await listen(0);
    // A TCP server has this kind of address.
    const { port } = first.address() as AddressInfo;
    const second = await listen(port + 1).catch(() => undefined);
    first.close();
    second?.close();
    if (second) return port;
  }
};

test.skipIf(!canLeave)(
  'a gateway on another machine works with both ports forwarded under their own numbers, and says what is missing with one',
  async () => {
    const port = await findFreePair();
    const sockets = [port, port + 1].map((number) => [number, join(folder.path, `${number}`)] as const);
    const inside = sockets
      .map(([number, socket]) => `node ${forward} in ${number} ${socket} >&2 &`)
      .join(' ');
    const script = `${inside} exec node ${cli} --no-open --port ${port}`;
    const remote = run('unshare', [...elsewhere, 'python3', '-c', bringUp, 'sh', '-c', script]);
    let printed = '';
    remote.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await eventually(() => printed).toContain('#code=');
    const link = /http:\/\/\S+#code=\S+/.exec(printed)?.[0] ?? '';
    expect(new URL(link).port).toBe(String(port));
    // Without a forwarded port nobody here reaches it.
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed');
    const open = async ([number, socket]: readonly [number, string]): Promise<void> => {
      await once(run(process.execPath, [forward, 'out', String(number), socket]).stdout, 'data');
    };
    const [first, second] = sockets;
    if (!first || !second) throw new Error('There are two ports.');
    await open(first);
    const page = await (await browser.newContext()).newPage();
    await page.goto(link);
    const stage = toStage(page);
    // The page alone is of no use, and says which part is missing.
    await stage.reaches('failed');
    expect((await stage.snapshot())?.failure?.code).toBe('sandbox-unreachable');
    await open(second);
    await page.reload();
    // With the sandbox there, the page moves to its other name.
    await page.waitForURL((url) => url.hostname === 'casement.localhost');
    await stage.run();
    // The example, in an origin of its own, under the names that this browser resolves itself.
    await stage.reaches('ready');
    expect(new URL(page.url()).host).toBe(`casement.localhost:${port}`);
  },
);

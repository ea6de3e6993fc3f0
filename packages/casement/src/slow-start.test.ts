import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

// Each starts processes and waits for more than a second of theirs, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const running = new Set<ChildProcess>();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'casement-slow-'));
});
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const start = (...argv: string[]) => {
  const child = spawn(process.execPath, [cli, '--no-open', '--port', '0', ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const printed = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (printed.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed.stderr += chunk.toString()));
  return { child, printed, exit: once(child, 'close').then(([code]) => code as number | null) };
};

const waitFor = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 30_000, interval: 50 });

/** A server that says a word and ends with code 7 once the file is there. */
const writeWaiting = async (name: string): Promise<{ script: string; end(): Promise<void> }> => {
  const script = join(folder, `${name}.cjs`);
  const file = join(folder, `${name}.end`);
  await writeFile(
    script,
    `console.error('fetching it'); setInterval(() => { if (require('node:fs').existsSync(${JSON.stringify(file)})) process.exit(7); }, 20);`,
  );
  expect(existsSync(file)).toBe(false);
  return { script, end: () => writeFile(file, '') };
};

test('the link is there while a server still starts; if it fails and nobody looks, the code is 2', async () => {
  const { script, end } = await writeWaiting('unwatched');
  const { printed, exit } = start(process.execPath, script);
  await waitFor(() => expect(printed.stdout).toContain('Press Ctrl+C'));
  expect(printed.stdout).toMatch(/^Casement is open; a server is still starting\.[^]*connecting[^]*#code=/);
  await waitFor(() =>
    expect(printed.stderr).toMatch(/waiting for "unwatched" to answer, \d+ s so far; its last/),
  );
  await end();
  expect(await exit).toBe(2);
  expect(printed.stderr).toMatch(/casement: the server "unwatched" exited \(code 7\).*\n$/i);
});

test('a program that fetches what it runs is said to be installing', async () => {
  const { script, end } = await writeWaiting('fetched');
  const npx = join(folder, 'npx');
  await symlink(process.execPath, npx);
  const { printed, exit } = start('--json', npx, script);
  await waitFor(() =>
    expect(printed.stderr).toMatch(/npx is probably still installing: .*; its last words: fetching it/),
  );
  // A program that reads the line of JSON still gets it when all is settled, and not before.
  expect(printed.stdout).toBe('');
  await end();
  expect(await exit).toBe(2);
  expect(printed.stdout).toBe('');
});

test('casement goes on after a slow failure while somebody looks at its page', async () => {
  const { script, end } = await writeWaiting('watched');
  const { child, printed, exit } = start(process.execPath, script);
  await waitFor(() => expect(printed.stdout).toContain('#code='));
  const [, port = '', code = ''] = /localhost:(\d+)\/open#code=([\w-]+)/.exec(printed.stdout) ?? [];
  const access = await fetch(`http://127.0.0.1:${port}/api/access`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const { token } = (await access.json()) as { token: string };
  const headers = { host: `localhost:${port}`, authorization: `Bearer ${token}` };
  const events = request({ host: '127.0.0.1', port, path: '/api/events', headers });
  events.on('error', () => undefined).end();
  await once(events, 'response');
  await end();
  await waitFor(() => expect(printed.stderr).toMatch(/exited \(code 7\)/));
  const servers = await fetch(`http://127.0.0.1:${port}/api/servers`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await servers.json()).toMatchObject({ servers: [{ status: 'exited' }] });
  child.kill('SIGINT');
  expect(await exit).toBe(130);
});

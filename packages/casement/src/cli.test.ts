import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const running = new Set<ChildProcess>();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'casement-'));
});
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts the shipped program and gathers what it prints. */
const start = (...argv: string[]) => {
  const child = spawn(process.execPath, [cli, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  const printed = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (printed.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed.stderr += chunk.toString()));
  const exit = once(child, 'close').then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  const ready = async (): Promise<Record<string, unknown>> => {
    while (!printed.stdout.includes('\n')) {
      if (child.exitCode !== null) throw new Error(`It ended instead: ${printed.stderr}`);
      await Promise.race([once(child.stdout, 'data'), exit]);
    }
    return JSON.parse(printed.stdout) as Record<string, unknown>;
  };
  return { child, printed, exit, ready };
};

const expectRefusal = async (argv: string[], sentence: RegExp): Promise<void> => {
  const { printed, exit } = start(...argv);
  expect(await exit).toBe(2);
  expect(printed.stdout).toBe('');
  expect(printed.stderr).toMatch(sentence);
  expect(printed.stderr).toMatch(/^casement: [^\n]+\.\n$/);
  expect(printed.stderr).not.toMatch(/\bat .*:\d+:\d+/);
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('casement', { timeout: 30_000 }, () => {
  test('prints help and version on stdout', async () => {
    const help = start('--help');
    expect(await help.exit).toBe(0);
    expect(help.printed.stdout).toContain('casement [options] [--] command args…');
    const version = start('--version');
    expect(await version.exit).toBe(0);
    expect(version.printed.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('refuses an unknown flag', () => expectRefusal(['--nope'], /no option --nope.*--help/));

  test('refuses a config file that cannot be read', () =>
    expectRefusal(['--no-open', '--config', join(folder, 'absent.json')], /absent\.json.*no such file/));

  test('refuses a config file that is no config', async () => {
    const path = join(folder, 'broken.json');
    await writeFile(path, '{"mcpServers": ');
    await expectRefusal(['--no-open', '--config', path], /broken\.json.*not JSON/);
    await writeFile(path, '{"mcpServers": {}}');
    await expectRefusal(['--no-open', '--config', path], /broken\.json/);
  });

  test('refuses a command that is not there', () =>
    expectRefusal(
      ['--no-open', '--port', '0', 'casement-no-such-program'],
      /no-such-program.*no such program/,
    ));

  test('refuses a command that exits at once, and repeats its last words', () =>
    expectRefusal(
      ['--no-open', '--port=0', process.execPath, '-e', 'console.error("Error: no key"); process.exit(3)'],
      /code 3.*Error: no key/,
    ));

  test('refuses an address where nothing answers', () =>
    expectRefusal(
      ['--no-open', '--port', '0', 'http://127.0.0.1:1/mcp'],
      /127\.0\.0\.1.*could not be reached/,
    ));

  test('refuses a port that is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    await expectRefusal(['--no-open', '--port', String(port)], new RegExp(`${port}`));
    taken.close();
  });

  test('says in one line of JSON where it is, and ends its servers with itself', async () => {
    const marker = join(folder, 'pid.mjs');
    await writeFile(
      marker,
      `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(join(folder, 'pid'))}, String(process.pid)); await import(${JSON.stringify(import.meta.resolve('@casement/example-weather-server'))});`,
    );
    const { child, printed, exit, ready } = start('--json', '--no-open', '--port', '0', 'node', marker);
    const line = await ready();
    expect(Object.keys(line)).toEqual(['url', 'token', 'sandboxOrigin', 'servers']);
    expect(line.url).toBe(`http://localhost:${new URL(String(line.url)).port}/#token=${String(line.token)}`);
    expect(line.servers).toEqual([{ name: 'pid', status: 'ready' }]);
    const pid = Number(await readFile(join(folder, 'pid'), 'utf8'));
    expect(isAlive(pid)).toBe(true);
    child.kill('SIGINT');
    expect(await exit).toBe(130);
    expect(isAlive(pid)).toBe(false);
    expect(printed.stdout.match(/\n/g)).toHaveLength(1);
    expect(printed.stderr).toBe('');
  });

  test('goes on with the other servers of a config file when one fails', async () => {
    const path = join(folder, 'mixed.json');
    const example = fileURLToPath(import.meta.resolve('@casement/example-weather-server'));
    await writeFile(
      path,
      JSON.stringify({
        mcpServers: {
          broken: { command: 'casement-no-such-program' },
          weather: { command: process.execPath, args: [example] },
        },
      }),
    );
    const { child, exit, ready } = start('--json', '--no-open', '--port', '0', '--config', path);
    expect((await ready()).servers).toEqual([
      { name: 'broken', status: 'failed' },
      { name: 'weather', status: 'ready' },
    ]);
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  });
});

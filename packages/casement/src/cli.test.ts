import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const example = new URL('../dist/example/weather-server.js', import.meta.url).href;
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
const start = (...argv: string[]) => startWith({}, ...argv);

const startWith = (variables: Record<string, string>, ...argv: string[]) => {
  // What the one who runs the tests has set is not what is tested; a variable of nothing is none.
  const none = { OPENAI_API_KEY: '', ANTHROPIC_API_KEY: '', CASEMENT_MODEL_KEY: '' };
  const child = spawn(process.execPath, [cli, ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, XDG_CONFIG_HOME: folder, ...none, ...variables },
  });
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

/** A busy machine may take more than the second after which a server is spoken of. */
const withoutWaiting = (text: string): string => text.replaceAll(/^casement: waiting for .*\n/gm, '');

/** Prints nothing before servers are settled, however busy this machine is. */
const quiet = ['--json', '--no-open', '--port', '0'];

const expectRefusal = async (argv: string[], sentence: RegExp): Promise<void> => {
  const { printed, exit } = start(...argv);
  expect(await exit).toBe(2);
  expect(printed.stdout).toBe('');
  const said = withoutWaiting(printed.stderr);
  expect(said).toMatch(sentence);
  expect(said).toMatch(/^casement: [^\n]+\.\n$/);
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
      [...quiet, 'casement-no-such-program'],
      /no program "casement-no-such-program" on the PATH; install it/,
    ));

  test('refuses a command that exits at once, and repeats its last words', () =>
    expectRefusal(
      [...quiet, process.execPath, '-e', 'console.error("Error: no key"); process.exit(3)'],
      /code 3.*Error: no key/,
    ));

  test('refuses an address where nothing answers', () =>
    expectRefusal([...quiet, 'http://127.0.0.1:1/mcp'], /127\.0\.0\.1.*could not be reached/));

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
      `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(join(folder, 'pid'))}, String(process.pid)); await import(${JSON.stringify(example)});`,
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
    expect(withoutWaiting(printed.stderr)).toBe('');
  });

  test('offers the models it has keys for, and tells the keys to nobody', async () => {
    const marker = join(folder, 'variables.mjs');
    await writeFile(
      marker,
      `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(join(folder, 'variables'))}, JSON.stringify(process.env)); await import(${JSON.stringify(example)});`,
    );
    const argv = ['--json', '--no-open', '--port', '0', '--model-url', 'http://127.0.0.1:9/v1'];
    const { child, printed, exit, ready } = startWith(
      { ANTHROPIC_API_KEY: 'key-of-anthropic', CASEMENT_MODEL_KEY: 'key-of-local' },
      ...argv,
      '--model=tiny',
      'node',
      marker,
    );
    const { url, token } = await ready();
    const { port } = new URL(String(url));
    const response = await fetch(`http://127.0.0.1:${port}/api/models`, {
      headers: { authorization: `Bearer ${String(token)}` },
    });
    const text = await response.text();
    expect(JSON.parse(text)).toEqual({
      models: [
        { id: 'local', label: 'tiny (127.0.0.1:9)', kind: 'openai-compatible', isFirst: true },
        { id: 'anthropic', label: 'claude-sonnet-5 (Anthropic)', kind: 'anthropic' },
      ],
    });
    expect(await readFile(join(folder, 'variables'), 'utf8')).not.toContain('key-of-local');
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
    expect(`${printed.stdout}${printed.stderr}`).not.toContain('key-of');
  });

  test('refuses a model whose address holds a password, and does not repeat it', async () => {
    const argv = ['--no-open', '--port', '0', '--model', 'x', '--model-url'];
    const { printed, exit } = start(...argv, 'http://me:hunter2@127.0.0.1/v1');
    expect(await exit).toBe(2);
    expect(printed.stderr).toMatch(/^casement: [^\n]*user name[^\n]*\.\n$/);
    expect(printed.stderr).not.toContain('hunter2');
  });

  test('goes on with the other servers of a config file when one fails', async () => {
    const path = join(folder, 'mixed.json');
    await writeFile(
      path,
      JSON.stringify({
        mcpServers: {
          broken: { command: 'casement-no-such-program' },
          weather: { command: process.execPath, args: [fileURLToPath(example)] },
        },
      }),
    );
    const { child, exit, ready } = start(
      '--json',
      '--no-open',
      '--port',
      '0',
      '--config',
      path,
      '--trust-config',
    );
    expect((await ready()).servers).toEqual([
      { name: 'broken', status: 'failed' },
      { name: 'weather', status: 'ready' },
    ]);
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  });

  test('C18 shows the only server of a config file as unconfirmed, starts nothing and does not end', async () => {
    const started = join(folder, 'started');
    const path = join(folder, 'waits.json');
    const script = `require('fs').writeFileSync(${JSON.stringify(started)}, '')`;
    await writeFile(
      path,
      JSON.stringify({ mcpServers: { waits: { command: 'node', args: ['-e', script] } } }),
    );
    const { child, exit, ready } = start('--json', '--no-open', '--port', '0', '--config', path);
    expect((await ready()).servers).toEqual([{ name: 'waits', status: 'unconfirmed' }]);
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
    expect(existsSync(started)).toBe(false);
    const trusted = start('--json', '--no-open', '--port', '0', '--config', path, '--trust-config');
    expect(await trusted.exit).toBe(2);
    expect(existsSync(started)).toBe(true);
  });

  test('says in the terminal where a config file that is followed broke', async () => {
    const path = join(folder, 'breaks.json');
    await writeFile(path, JSON.stringify({ mcpServers: { a: { command: 'a' } } }));
    const { child, printed, exit, ready } = start('--json', '--no-open', '--port', '0', '--config', path);
    await ready();
    await writeFile(path, '{\n "mcpServers": \u001b[31m');
    while (!printed.stderr.includes('\n')) await once(child.stderr as NodeJS.ReadableStream, 'data');
    expect(printed.stderr).toMatch(/^casement: \S*breaks\.json, line 2, column 16: It is not JSON[^\n]*\n$/);
    expect(printed.stderr).not.toContain('\u001b');
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  });

  test('shows the servers that are kept in the place of the example, and forgets them after a yes', async () => {
    const home = await mkdtemp(join(folder, 'home-'));
    const variables = { XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, XDG_CACHE_HOME: home };
    const first = startWith(variables, '--json', '--no-open', '--port', '0');
    const { url, token, servers } = await first.ready();
    expect(servers).toEqual([{ name: 'weather', status: 'ready' }]);
    const entry = {
      name: 'kept',
      kind: 'stdio',
      command: 'a',
      args: [],
      env: [{ name: 'A_KEY', text: 'b' }],
    };
    const answer = await fetch(`http://127.0.0.1:${new URL(String(url)).port}/api/entries`, {
      method: 'POST',
      headers: { authorization: `Bearer ${String(token)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ entries: [entry] }),
    });
    expect(answer.status).toBe(200);
    first.child.kill('SIGTERM');
    await first.exit;
    const second = startWith(variables, '--json', '--no-open', '--port', '0');
    expect((await second.ready()).servers).toEqual([{ name: 'kept', status: 'unconfirmed' }]);
    second.child.kill('SIGTERM');
    await second.exit;
    const list = startWith(variables, 'forget', '--list');
    expect(await list.exit).toBe(0);
    for (const name of ['servers.json', 'secrets.json', 'salt'])
      expect(list.printed.stdout).toContain(join(home, 'casement', name));
    // Nobody says yes where there is no input.
    const asked = startWith(variables, 'forget');
    expect(await asked.exit).toBe(1);
    expect(asked.printed.stdout).toContain('Nothing was deleted.');
    expect(existsSync(join(home, 'casement', 'salt'))).toBe(true);
    const forgot = startWith(variables, 'forget', '--yes');
    expect(await forgot.exit).toBe(0);
    expect(await readdir(join(home, 'casement'))).toEqual([]);
    const none = startWith(variables, 'forget', '--list');
    expect(await none.exit).toBe(0);
    expect(none.printed.stdout).toBe('Casement stores nothing on this machine.\n');
  });
});

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

// Each starts one process or more, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const running = new Set<ChildProcess>();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'casement-safety-'));
});
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts the shipped program and gathers what it prints. */
const start = (argv: readonly string[], variables: Record<string, string> = {}) => {
  const child = spawn(process.execPath, [cli, ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, XDG_CONFIG_HOME: folder, ...variables },
  });
  running.add(child);
  const printed = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (printed.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed.stderr += chunk.toString()));
  return { child, printed, exit: once(child, 'close').then(([code]) => code as number | null) };
};

const waitFor = <T>(read: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(read, { timeout: 20_000, interval: 50 });

const write = async (name: string, text: string): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
};

// eslint-disable-next-line no-control-regex -- what must not reach a terminal
const obeyed = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;

const red = '\u001b[31mred\u001b]0;title\u0007\u202e\u{e0041}';

test.each([
  ['name', { [`a${red}`]: { command: 'node' } }],
  ['command', { a: { command: `node${red}` } }],
  ['argument', { a: { command: 'node', args: [red] } }],
  ['tab in an argument', { a: { command: 'node', args: ['a\tb'] } }],
  ['folder', { a: { command: 'node', cwd: red } }],
  ['variable', { a: { command: 'node', env: { [red]: '1' } } }],
  ['type', { a: { command: 'node', type: red } }],
  ['header', { a: { url: 'http://127.0.0.1:9/', headers: { [red]: '1' } } }],
  ['account', { a: { command: 'node', account: red } }],
])(
  'sec-W13 a config file with control characters in a %s is refused in printable words',
  async (_what, mcpServers) => {
    const config = await write('mcp.json', JSON.stringify({ mcpServers }));
    const { printed, exit } = start(['--no-open', '--port', '0', '--config', config]);
    expect(await exit).toBe(2);
    expect(printed.stderr).toMatch(
      /^casement: The server "[^\n]*" (?:has|is) [^\n]*; correct the entry[^\n]*\.\n$/,
    );
    expect(printed.stderr).not.toMatch(obeyed);
    expect(printed.stdout).toBe('');
  },
);

test.each([
  ['text that is not JSON', `{ "mcpServers": ${red} }`],
  ['nothing but escapes', red],
  ['no servers', JSON.stringify({ [red]: 1 })],
])('sec-W13 a broken config file, %s, prints nothing a terminal obeys', async (_what, text) => {
  const config = await write(`broken-${red.slice(5, 8)}.json`, text);
  const { printed, exit } = start(['--no-open', '--port', '0', '--config', config]);
  expect(await exit).toBe(2);
  expect(printed.stderr).toMatch(/^casement: [^\n]+\.\n$/);
  expect(printed.stderr).not.toMatch(obeyed);
});

test.each([
  [[`--${red}`]],
  [['--port', red]],
  [['--args', red]],
  [['--config', `/nowhere/${red}`]],
  [['--model-url', red, '--model', red]],
  [['--model', red]],
  [['--env', red]],
  [[`https://${red}`]],
  [['https://a.example', red]],
  [[`no-such-program-${red}`]],
])('sec-W13 the arguments %j are refused in printable words', async (argv) => {
  const { printed, exit } = start(['--no-open', '--port', '0', ...argv]);
  expect(await exit).toBe(2);
  expect(printed.stderr).toMatch(/^casement: [^\n]+\.\n$/);
  expect(printed.stderr).not.toMatch(obeyed);
});

test('sec-W13 what a failing server says on its way down is printed without its escapes', async () => {
  const server = await write(
    'dies.mjs',
    `process.stderr.write(${JSON.stringify(`cannot find ${red}\n`)}); process.exit(3);`,
  );
  const mcpServers = {
    dies: { command: process.execPath, args: [server] },
    also: { url: 'http://127.0.0.1:9/' },
  };
  const config = await write('dies.json', JSON.stringify({ mcpServers }));
  const one = start(['--no-open', '--port', '0', '--', process.execPath, server]);
  expect(await one.exit).toBe(2);
  expect(one.printed.stderr).toContain('cannot find');
  expect(one.printed.stderr).not.toMatch(obeyed);
  const several = start(['--no-open', '--port', '0', '--config', config, '--trust-config']);
  await waitFor(() => expect(several.printed.stdout).toContain('Press Ctrl+C'));
  expect(several.printed.stdout).not.toMatch(obeyed);
});

const keys = {
  OPENAI_API_KEY: 'sk-openai-1',
  ANTHROPIC_API_KEY: 'sk-anthropic-2',
  CASEMENT_MODEL_KEY: 'key-3',
};

/** A server that only writes down the environment it was given, and what the process list says of it. */
const readEnvironment = async (
  argv: (server: string) => readonly string[],
): Promise<Record<string, string>> => {
  const out = join(folder, `environment-${Math.random()}.json`);
  const server = await write(
    'environment.mjs',
    `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(out)}, JSON.stringify(process.env));`,
  );
  const { exit } = start(['--no-open', '--port', '0', ...argv(server)], { ...keys, OTHER: 'other' });
  await exit;
  // The server wrote what it has, all of it texts.
  return JSON.parse(await readFile(out, 'utf8')) as Record<string, string>;
};

test('sec-W8 a server command inherits the environment without the keys of models', async () => {
  const environment = await readEnvironment((server) => ['--', process.execPath, server]);
  expect(environment).toMatchObject({ OTHER: 'other' });
  for (const name of Object.keys(keys)) expect(environment).not.toHaveProperty(name);
  expect(JSON.stringify(environment)).not.toMatch(/sk-openai-1|sk-anthropic-2|key-3/);
});

test('sec-W8 a key that the user names for a server reaches that server', async () => {
  const named = await readEnvironment((server) => [
    '--env',
    'OPENAI_API_KEY',
    '--',
    process.execPath,
    server,
  ]);
  expect(named).toMatchObject({ OPENAI_API_KEY: 'sk-openai-1' });
  expect(named).not.toHaveProperty('ANTHROPIC_API_KEY');
  const path = join(folder, 'keys.json');
  const entry = (server: string) => ({
    command: process.execPath,
    args: [server],
    env: { OPENAI_API_KEY: 'own' },
  });
  await writeFile(path, JSON.stringify({ mcpServers: { a: entry(join(folder, 'environment.mjs')) } }));
  const configured = await readEnvironment(() => ['--config', path, '--trust-config']);
  expect(configured).toMatchObject({ OPENAI_API_KEY: 'own' });
  expect(configured).not.toHaveProperty('OTHER');
});

test.each([
  [['--env', 'NOT_SET_ANYWHERE', 'node'], /names a variable that is not set/],
  [['--env', 'A=b', 'node'], /without a value/],
  [['--env', 'HOME', 'https://a.example'], /started by a command/],
])('sec-W8 %j is refused', async (argv, reason) => {
  const { printed, exit } = start(['--no-open', '--port', '0', ...argv]);
  expect(await exit).toBe(2);
  expect(printed.stderr).toMatch(reason);
});

test('sec-B12 the token is neither in the process list nor in the arguments of the browser', async () => {
  const seen = join(folder, 'seen.txt');
  const browser = await write(
    'browser.sh',
    `#!/bin/sh\n{ echo "$@"; ps -eo args; } > '${seen}.part'; mv '${seen}.part' '${seen}'\n`,
  );
  await chmod(browser, 0o700);
  const { printed } = start(['--json', '--port', '0'], { BROWSER: browser, DISPLAY: '' });
  const line = await waitFor(() => JSON.parse(printed.stdout) as { url: string; token: string });
  const text = await waitFor(async () => {
    expect(existsSync(seen)).toBe(true);
    return readFile(seen, 'utf8');
  });
  const { port } = new URL(line.url);
  expect(text).toMatch(new RegExp(`^http://localhost:${port}/open#code=[\\w-]{43}&`));
  expect(text.match(/#code=/g)?.length).toBeGreaterThan(1);
  expect(text).not.toContain(line.token);
  // What any user of this machine could read is worth nothing once the page has taken it.
  const code = /#code=([\w-]+)/.exec(text)?.[1];
  const redeem = () =>
    fetch(`http://localhost:${port}/api/access`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
  expect(await (await redeem()).json()).toMatchObject({ token: line.token });
  expect(await (await redeem()).json()).toMatchObject({ error: { code: 'access-used' } });
});

test('sec-B12 the terminal shows a link without the token, and a new one when it was opened twice', async () => {
  const { printed } = start(['--no-open', '--port', '0']);
  await waitFor(() => expect(printed.stdout).toContain('Press Ctrl+C'));
  const links = () => [...printed.stdout.matchAll(/http:\/\/localhost:(\d+)\/open#code=([\w-]+)\S*/g)];
  const [first] = links();
  expect(links()).toHaveLength(1);
  expect(printed.stdout).not.toContain('token');
  const redeem = async (code = '') => {
    const answer = await fetch(`http://localhost:${first?.[1]}/api/access`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    return answer.status;
  };
  expect(await redeem(first?.[2])).toBe(200);
  expect(links()).toHaveLength(1);
  expect(await redeem(first?.[2])).toBe(401);
  await waitFor(() => expect(links()).toHaveLength(2));
  expect(await redeem(links()[1]?.[2])).toBe(200);
});

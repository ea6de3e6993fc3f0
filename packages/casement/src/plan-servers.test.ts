import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toPageAddress } from './page-address.js';
import { parseCommandLine } from './parse-command-line.js';
import { planServers, toServerName } from './plan-servers.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'casement-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const plan = (...argv: string[]) => {
  const invocation = parseCommandLine(argv);
  if (invocation.kind !== 'serve') throw new Error('These words ask for no server.');
  return planServers(invocation, {}, '/shipped/example.js');
};

const writeConfig = async (name: string, servers: Record<string, unknown>): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify({ mcpServers: servers }));
  return path;
};

describe('the name of a server', () => {
  test.each([
    [['node', '/srv/tracker/dist/index.js'], 'tracker'],
    [['node', '--inspect', 'weather.mjs', '--fast'], 'weather'],
    [['node', '-e', 'process.exit(3)'], 'node'],
    [['npx', '-y', '@modelcontextprotocol/server-map@1.2.3', '--stdio'], 'modelcontextprotocol-server-map'],
    [['npx', 'some-server@latest'], 'some-server'],
    [['uv', 'run', 'tool.py'], 'tool'],
    [['./bin/my server'], 'my-server'],
    [['https://mcp.example.com:8443/mcp?key=secret'], 'mcp.example.com'],
  ])('%j is called %s', (argv, name) => {
    const invocation = parseCommandLine(argv);
    expect(invocation.kind === 'serve' && invocation.server && toServerName(invocation.server)).toBe(name);
  });
});

describe('the plan', () => {
  test('without a server is the example, run by its address', async () => {
    const example = await plan();
    expect(example.servers).toMatchObject([
      { name: 'weather', kind: 'stdio', args: ['/shipped/example.js'], inheritEnv: false },
    ]);
    const address = toPageAddress('http://localhost:6270/#token=abc', example);
    const url = new URL(address);
    expect(url.search).toBe('');
    expect(Object.fromEntries(new URLSearchParams(url.hash.slice(1)))).toEqual({
      token: 'abc',
      server: 'weather',
      tool: 'weather_dashboard',
      args: '{"city":"Lisbon"}',
      run: '1',
    });
  });

  test('reads the settings of VS Code, comments and last commas included', async () => {
    const path = join(folder, 'settings.json');
    const text = `{
      // what the editor uses
      "servers": {
        "web": { "type": "http", "url": "https://example.com//mcp" /* not a comment: // */, },
      },
    }`;
    await writeFile(path, text);
    expect((await plan('--config', path)).servers).toEqual([
      { name: 'web', kind: 'http', url: 'https://example.com//mcp' },
    ]);
  });

  test('puts the named server first, under a name of its own, and requires only that one', async () => {
    const config = await writeConfig('two.json', {
      tracker: { command: 'tracker' },
      other: { url: 'http://127.0.0.1:1/mcp' },
    });
    const named = await plan('--config', config, 'node', '/srv/tracker/index.js');
    expect(named.servers.map(({ name }) => name)).toEqual(['tracker-2', 'tracker', 'other']);
    expect(named.required).toEqual(['tracker-2']);
    expect(toPageAddress('http://localhost:6270/#token=abc', named)).toBe('http://localhost:6270/#token=abc');
    const [first] = named.servers;
    expect(
      toPageAddress('http://localhost:6270/#token=abc', named, { run: 'get-time', args: '{"a":1}' }),
    ).toBe(
      `http://localhost:6270/#token=abc&server=${first?.name}&tool=get-time&args=%7B%22a%22%3A1%7D&run=1`,
    );
  });

  test('requires the only server of a config file, and none of several', async () => {
    const one = await writeConfig('one.json', { a: { command: 'a' } });
    const several = await writeConfig('several.json', { a: { command: 'a' }, b: { command: 'b' } });
    expect((await plan('--config', one)).required).toEqual(['a']);
    expect((await plan('--config', several)).required).toEqual([]);
  });
});

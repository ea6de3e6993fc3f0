import type { ServerSummary } from '@casement/gateway';
import { describe, expect, test } from 'vitest';
import { toPageAddress } from './page-address.js';
import { parseCommandLine } from './parse-command-line.js';
import { findRequired, planServers, toServerName } from './plan-servers.js';

const plan = (...argv: string[]) => {
  const invocation = parseCommandLine(argv);
  if (invocation.kind !== 'serve') throw new Error('These words ask for no server.');
  return planServers(invocation, {}, '/shipped/example.js');
};

const summary = (name: string, source: ServerSummary['source']): ServerSummary => ({
  name,
  source,
  status: 'ready',
  identity: name,
  kind: 'stdio',
});

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
  const url = 'http://localhost:6270/#token=abc';

  test('without a server is the example, run by its address where no other server is kept', () => {
    const example = plan();
    expect(example).toMatchObject({
      servers: [],
      fallback: { name: 'weather', kind: 'stdio', args: ['/shipped/example.js'], inheritEnv: false },
    });
    const address = new URL(toPageAddress(url, example, [summary('weather', 'typed')]));
    expect(address.search).toBe('');
    expect(Object.fromEntries(new URLSearchParams(address.hash.slice(1)))).toEqual({
      token: 'abc',
      server: 'weather',
      tool: 'weather_dashboard',
      args: '{"city":"Lisbon"}',
      run: '1',
    });
    expect(toPageAddress(url, example, [summary('mine', 'kept')])).toBe(url);
    expect(toPageAddress(url, example, [])).toBe(url);
  });

  test('has the named server, and the config file unread', () => {
    const named = plan('--config', 'two.json', 'node', '/srv/tracker/index.js');
    expect(named).toMatchObject({
      servers: [{ name: 'tracker', isNameDerived: true, inheritEnv: true }],
      configFile: 'two.json',
      trustConfig: false,
    });
    expect(named).not.toHaveProperty('fallback');
    expect(plan('--config', 'two.json', '--trust-config')).toMatchObject({ servers: [], trustConfig: true });
    const servers = [summary('tracker-2', 'typed'), summary('tracker', 'file')];
    expect(toPageAddress(url, named, servers)).toBe(url);
    expect(toPageAddress(url, named, servers, { run: 'get-time', args: '{"a":1}' })).toBe(
      `${url}&server=tracker-2&tool=get-time&args=%7B%22a%22%3A1%7D&run=1`,
    );
    expect(findRequired(named, servers).map(({ name }) => name)).toEqual(['tracker-2']);
  });

  test('requires the only server of a config file, and none of several or of those that are kept', () => {
    const file = plan('--config', 'a.json');
    const kept = summary('kept', 'kept');
    expect(findRequired(file, [summary('a', 'file'), kept]).map(({ name }) => name)).toEqual(['a']);
    expect(findRequired(file, [summary('a', 'file'), summary('b', 'file')])).toEqual([]);
    expect(findRequired(plan(), [kept])).toEqual([]);
    expect(findRequired(plan(), [summary('weather', 'typed')])).toHaveLength(1);
  });
});

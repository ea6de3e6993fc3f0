import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder, start, stdio } from '../gateway.test-support.js';
import { readSalt } from './server-identity.js';
import { parseServerConfigs, type ServerConfig } from '../index.js';

const identities = async (stateDir: string, servers: ServerConfig[]): Promise<string[]> => {
  const gateway = await start({ stateDir, servers });
  const found = gateway.servers().map(({ identity }) => identity);
  await gateway.close();
  return found;
};

test('a server keeps its identity between launches; another program, folder or address has another', async () => {
  const stateDir = join(createFolder(), 'new', 'folder');
  const web = (name: string, path: string): ServerConfig => ({
    name,
    kind: 'http',
    url: `http://127.0.0.1:9${path}`,
  });
  const servers = [
    { ...stdio('a'), isNameDerived: true },
    { ...stdio('b'), isNameDerived: true },
    stdio('c', ['--name=x']),
    stdio('d', [], { cwd: '/' }),
    web('e', '/mcp'),
    web('f', '/other'),
  ];
  const first = await identities(stateDir, servers);
  expect(await identities(stateDir, servers)).toEqual(first);
  expect(first[0]).toBe(first[1]);
  expect(new Set(first).size).toBe(5);
  for (const identity of first) expect(identity).toMatch(/^[\w-]{43}$/);
});

test('sec-W4 entries that differ in name, account or the names of variables and headers are different servers', async () => {
  const stateDir = createFolder();
  const web = (name: string, headers: Record<string, string>): ServerConfig => ({
    name,
    kind: 'http',
    url: 'http://127.0.0.1:9/mcp',
    headers,
  });
  const config = parseServerConfigs(
    {
      mcpServers: {
        alice: { command: process.execPath, args: ['notes.mjs'], env: { ACCOUNT: 'alice' } },
        bob: { command: process.execPath, args: ['notes.mjs'], env: { ACCOUNT: 'bob' } },
      },
    },
    'mcp.json',
  );
  const typed = stdio('typed', ['x.mjs'], { isNameDerived: true });
  const all = await identities(stateDir, [
    ...config,
    web('web-a', { Authorization: 'Bearer 1' }),
    web('web-b', { Authorization: 'Bearer 1' }),
    typed,
    { ...typed, name: 'typed-account', account: 'work' },
    { ...typed, name: 'typed-env', env: { ACCOUNT: '1' } },
  ]);
  expect(new Set(all).size).toBe(all.length);
});

test('sec-W4 a renewed key, another order of names and another derived name keep the identity', async () => {
  const stateDir = createFolder();
  const web = (headers: Record<string, string>): ServerConfig => ({
    name: 'web',
    kind: 'http',
    url: 'http://127.0.0.1:9/mcp',
    headers,
  });
  const local = (name: string, env: Record<string, string>): ServerConfig =>
    stdio(name, ['x.mjs'], { env, ...(name === 'x' ? {} : { isNameDerived: true }) });
  const first = await identities(stateDir, [
    web({ Authorization: 'Bearer old', 'X-Team': 'a' }),
    local('x', { KEY: 'old', ACCOUNT: 'a' }),
    stdio('derived', ['y.mjs'], { isNameDerived: true }),
  ]);
  const second = await identities(stateDir, [
    web({ 'x-team': 'b', authorization: 'Bearer new' }),
    local('x', { ACCOUNT: 'b', KEY: 'new' }),
    stdio('derived-2', ['y.mjs'], { isNameDerived: true }),
  ]);
  expect(second).toEqual(first);
});

test('the salt is the user’s alone and another installation has another', async () => {
  const [one, two] = [createFolder(), createFolder()];
  const [first] = await identities(one, [stdio('a')]);
  const [second] = await identities(two, [stdio('a')]);
  expect(first).not.toBe(second);
  expect(statSync(join(one, 'salt')).mode & 0o777).toBe(0o600);
  expect(Buffer.from(readFileSync(join(one, 'salt'), 'utf8'), 'base64url')).toHaveLength(32);
});

test('a state folder that cannot be used costs only the stability', async () => {
  const file = join(createFolder(), 'file');
  writeFileSync(file, 'not a folder');
  const first = await identities(join(file, 'state'), [stdio('a')]);
  const second = await identities(join(file, 'state'), [stdio('a')]);
  expect(first[0]).toMatch(/^[\w-]{43}$/);
  expect(first).not.toEqual(second);
});

test.each(['', 'abc', '\0'.repeat(43)])(
  'sec-W4 a broken salt (%j) is replaced once, not at every launch',
  async (broken) => {
    const folder = createFolder();
    writeFileSync(join(folder, 'salt'), broken);
    const first = await readSalt(folder);
    expect(await readSalt(folder)).toEqual(first);
    expect(readdirSync(folder)).toEqual(['salt']);
    expect(statSync(join(folder, 'salt')).mode & 0o777).toBe(0o600);
  },
);

test('sec-W4 gateways that start together have one salt', async () => {
  const folder = createFolder();
  const salts = await Promise.all(Array.from({ length: 8 }, () => readSalt(folder)));
  expect(new Set(salts.map((salt) => salt.toString('hex'))).size).toBe(1);
  expect(readdirSync(folder)).toEqual(['salt']);
});

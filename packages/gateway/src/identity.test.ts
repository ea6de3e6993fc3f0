import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder, start, stdio } from './gateway.test-support.js';
import type { ServerConfig } from './index.js';

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
    stdio('a'),
    stdio('b'),
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

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { api, createFolder, createPageFolder, start } from '../gateway.test-support.js';
import type { EntryDraft, EntryProblem, EntryView, RunningGateway } from '../index.js';

const command = (name: string): EntryDraft => ({ name, kind: 'stdio', command: 'x', args: [] });

const folders = () => {
  const folder = createFolder();
  return { configDir: join(folder, 'config'), stateDir: join(folder, 'state') };
};

const add = (gateway: RunningGateway, ...names: string[]) =>
  api(gateway, '/entries', { entries: names.map(command) });

const read = async (gateway: RunningGateway) => {
  const { body } = await api(gateway, '/entries');
  return {
    names: (body['entries'] as EntryView[]).map(({ name }) => name),
    problems: body['problems'] as EntryProblem[],
    file: body['file'],
  };
};

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

test('a disk that is full while entries are saved gives a named error, and what was saved before is whole', () => {
  const { configDir, stateDir } = folders();
  const script = join(import.meta.dirname, '../../test-fixtures/full-disk.mjs');
  // The shell limits how large a file may become: to a program it looks like a disk with no room left.
  const { stdout, stderr } = spawnSync(
    'sh',
    [
      '-c',
      'ulimit -f 16; exec "$0" "$@"',
      process.execPath,
      script,
      configDir,
      stateDir,
      createPageFolder(),
      '10',
      '40000',
      '20',
    ],
    { encoding: 'utf8' },
  );
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { status: number; error?: unknown });
  expect(answers, stderr).toMatchObject([
    { status: 200 },
    {
      status: 507,
      error: {
        code: 'config-unwritable',
        message: expect.stringContaining('larger than is allowed') as string,
        hint: expect.stringContaining('whole') as string,
      },
    },
    { status: 200 },
  ]);
  expect(readJson(join(configDir, 'servers.json'))).toMatchObject({
    version: 1,
    servers: [{ name: 'of-10' }, { name: 'of-20' }],
  });
  // Of the entry that could not be saved nothing is left, its secret included.
  const left = readdirSync(configDir);
  expect(left.toSorted()).toEqual(['secrets.json', 'servers.json']);
  expect(left.map((name) => readFileSync(join(configDir, name), 'utf8')).join()).not.toContain('40000');
});

test('a folder that cannot be made is named, and nothing is shown as kept', async () => {
  const { configDir, stateDir } = folders();
  writeFileSync(configDir, 'a file in the way');
  const gateway = await start({ configDir, stateDir });
  const { status, body } = await add(gateway, 'a');
  expect([status, body.error?.code]).toEqual([507, 'config-unwritable']);
  expect((await read(gateway)).names).toEqual([]);
  expect(readFileSync(configDir, 'utf8')).toBe('a file in the way');
});

describe('a file that cannot be used', () => {
  test('is set aside by the next saving and never overwritten', async () => {
    const { configDir, stateDir } = folders();
    mkdirSync(configDir);
    const file = join(configDir, 'servers.json');
    const broken = '{ "version": 1,\n "servers": [ oh';
    writeFileSync(file, broken);
    writeFileSync(`${file}.unreadable-1`, 'an older one');
    const told: EntryProblem[] = [];
    const gateway = await start({ configDir, stateDir, onProblem: (problem) => told.push(problem) });
    expect(told).toMatchObject([{ file, line: 2, column: 15 }]);
    expect((await read(gateway)).problems).toMatchObject([{ file, line: 2 }]);
    expect(readFileSync(file, 'utf8')).toBe(broken);
    expect((await add(gateway, 'a')).status).toBe(200);
    expect(readFileSync(`${file}.unreadable-2`, 'utf8')).toBe(broken);
    expect(readFileSync(`${file}.unreadable-1`, 'utf8')).toBe('an older one');
    expect(await read(gateway)).toMatchObject({ names: ['a'], problems: [] });
  });

  test.each([
    ['another shape', { version: 1, servers: [{ name: 'a', kind: 'stdio' }], switchedOff: [], order: [] }],
    [
      'an entry that may not run',
      {
        version: 1,
        servers: [{ name: 'a\u202e', kind: 'stdio', command: 'x', args: [] }],
        switchedOff: [],
        order: [],
      },
    ],
    ['a list', []],
    ['no version', { servers: [] }],
  ])('%s is a problem with the name of the file, and stays', async (_what, json) => {
    const { configDir, stateDir } = folders();
    mkdirSync(configDir);
    const file = join(configDir, 'servers.json');
    writeFileSync(file, JSON.stringify(json));
    const gateway = await start({ configDir, stateDir });
    expect(await read(gateway)).toMatchObject({ names: [], problems: [{ file }] });
    await add(gateway, 'b');
    expect(readJson(`${file}.unreadable-1`)).toEqual(json);
  });

  test('of a newer version is refused by name and left as it is', async () => {
    const { configDir, stateDir } = folders();
    mkdirSync(configDir);
    const file = join(configDir, 'servers.json');
    writeFileSync(file, '{"version": 2, "future": true}');
    const gateway = await start({ configDir, stateDir });
    expect((await read(gateway)).problems).toMatchObject([
      { file, message: expect.stringContaining('newer version') as string },
    ]);
    const { status, body } = await add(gateway, 'a');
    expect([status, body.error?.code]).toEqual([507, 'config-unwritable']);
    expect(body.error?.message).toContain('newer version');
    expect(readdirSync(configDir)).toEqual(['servers.json']);
    expect(readFileSync(file, 'utf8')).toBe('{"version": 2, "future": true}');
  });
});

test('two gateways at once do not lose each other’s entries', async () => {
  const dirs = folders();
  const [one, other] = await Promise.all([start(dirs), start(dirs)]);
  const names = Array.from({ length: 10 }, (_, index) => index);
  await Promise.all(names.flatMap((index) => [add(one, `one${index}`), add(other, `other${index}`)]));
  const all = names.flatMap((index) => [`one${index}`, `other${index}`]);
  const next = await start(dirs);
  expect((await read(next)).names.toSorted()).toEqual(all.toSorted());
  expect(readdirSync(dirs.configDir)).toEqual(['servers.json']);
  // Each sees the other's with its next own change.
  await add(one, 'last');
  expect((await read(one)).names).toHaveLength(21);
  // What one removed, the other does not bring back.
  await api(one, '/entries/other0/remove', {});
  await add(other, 'more');
  expect((await read(other)).names).not.toContain('other0');
});

test('a yes given in one gateway does not hold for what another has changed meanwhile', async () => {
  const dirs = folders();
  const one = await start(dirs);
  const { body } = await add(one, 'a');
  const [entry] = body['entries'] as EntryView[];
  const other = await start(dirs);
  await api(other, '/entries/a/change', { entry: { ...command('a'), command: 'y' } });
  const answer = await api(one, '/entries/a/confirm', { hash: entry?.hash });
  expect([answer.status, answer.body.error?.code]).toEqual([409, 'entry-changed']);
  expect(existsSync(join(dirs.configDir, 'confirmations.json'))).toBe(false);
});

test('a lock that a dead program left is broken after a while', async () => {
  const dirs = folders();
  mkdirSync(dirs.configDir);
  const lock = join(dirs.configDir, 'lock');
  writeFileSync(lock, 'somebody');
  const longAgo = Date.now() / 1000 - 60;
  utimesSync(lock, longAgo, longAgo);
  const gateway = await start(dirs);
  expect((await add(gateway, 'a')).status).toBe(200);
  expect(readdirSync(dirs.configDir)).toEqual(['servers.json']);
});

test('C22 files are for the user alone, also those that lost that, and a link stays a link', async () => {
  const { configDir, stateDir } = folders();
  const real = join(createFolder(), 'mine.json');
  const first = await start({ configDir, stateDir });
  await add(first, 'a');
  const file = join(configDir, 'servers.json');
  chmodSync(file, 0o644);
  await first.close();
  const second = await start({ configDir, stateDir });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await second.close();
  writeFileSync(real, readFileSync(file));
  const linked = join(createFolder(), 'config');
  mkdirSync(linked);
  symlinkSync(real, join(linked, 'servers.json'));
  const third = await start({ configDir: linked, stateDir });
  expect((await add(third, 'b')).status).toBe(200);
  expect(readJson(real)).toMatchObject({ servers: [{ name: 'a' }, { name: 'b' }] });
  expect(readdirSync(linked)).toEqual(['servers.json']);
});

test('what is stored is listed with its place and deleted by name, and nothing else is', async () => {
  const { configDir, stateDir } = folders();
  const cacheDir = createFolder();
  mkdirSync(join(cacheDir, 'compiled', '1.0.0'), { recursive: true });
  writeFileSync(join(cacheDir, 'compiled', '1.0.0', 'a'), '12345');
  const gateway = await start({ configDir, stateDir, cacheDir });
  await add(gateway, 'a');
  writeFileSync(join(configDir, 'servers.json.unreadable-1'), 'x');
  writeFileSync(join(configDir, 'notes.txt'), 'mine');
  const { body } = await api(gateway, '/stored');
  expect(body['items']).toMatchObject([
    { what: 'servers', where: join(configDir, 'servers.json'), lasts: 'until you delete it' },
    { what: 'servers', where: join(configDir, 'servers.json.unreadable-1'), bytes: 1 },
    { what: 'salt', where: join(stateDir, 'salt'), bytes: 43 },
    { what: 'compiled', where: join(cacheDir, 'compiled'), bytes: 5 },
  ]);
  expect((await api(gateway, '/stored/forget', { what: ['../..'] })).body.error?.code).toBe('bad-request');
  const left = await api(gateway, '/stored/forget', { what: ['servers', 'compiled'] });
  expect(left.body['items']).toMatchObject([{ what: 'salt' }]);
  expect(gateway.servers()).toEqual([]);
  expect(readdirSync(configDir)).toEqual(['notes.txt']);
  expect(readdirSync(cacheDir)).toEqual([]);
});

test('a gateway without a config folder keeps nothing', async () => {
  const gateway = await start();
  const { status, body } = await add(gateway, 'a');
  expect([status, body.error?.code]).toEqual([507, 'config-unwritable']);
  expect(gateway.servers()).toEqual([]);
});

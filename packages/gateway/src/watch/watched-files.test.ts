import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../gateway.test-support.js';
import { findWatchRoots, isNoiseFile, isNoiseFolder, toFileName } from './watched-files.js';

const toConfig = (args: string[], cwd?: string, command = 'node') => ({
  name: 'a',
  kind: 'stdio' as const,
  command,
  args,
  inheritEnv: false,
  ...(cwd !== undefined && { cwd }),
});

const createProject = (): string => {
  const folder = realpathSync(createFolder());
  mkdirSync(join(folder, 'dist/server'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{}');
  writeFileSync(join(folder, 'dist/server/main.js'), '');
  return folder;
};

test('the project of the script is watched, wherever the command runs', () => {
  const folder = createProject();
  expect(findWatchRoots(toConfig(['--flag', join(folder, 'dist/server/main.js')]), [])).toEqual([{ folder }]);
  expect(findWatchRoots(toConfig(['dist/server/main.js'], folder), [])).toEqual([{ folder }]);
  // A command without a script of its own is what the folder is for.
  expect(findWatchRoots(toConfig(['my-server'], folder, 'npx'), [])).toEqual([{ folder }]);
});

test('a script without a project has its own folder, and a home folder or the system is never watched unasked', () => {
  const folder = realpathSync(createFolder());
  writeFileSync(join(folder, 'server.py'), '');
  expect(findWatchRoots(toConfig([join(folder, 'server.py')], '/', 'python3'), [])).toEqual([{ folder }]);
  expect(findWatchRoots(toConfig(['my-server'], homedir(), 'npx'), [])).toEqual([]);
  expect(findWatchRoots(toConfig(['my-server'], '/', '/usr/bin/env'), [])).toEqual([]);
});

test('what the user named is watched besides: a folder, a file, or one that is not there yet', () => {
  const folder = createProject();
  const http = { name: 'a', kind: 'http' as const, url: 'http://localhost/mcp' };
  expect(findWatchRoots(http, [])).toEqual([]);
  expect(findWatchRoots(http, [folder, join(folder, 'package.json'), join(folder, 'later.js')])).toEqual([
    { folder },
    { folder, only: 'package.json' },
    { folder, only: 'later.js' },
  ]);
});

test('a file is named as seen from the nearest folder that is watched', () => {
  const roots = [{ folder: '/srv/app' }, { folder: '/srv/app/dist' }, { folder: '/other', only: 'x' }];
  expect(toFileName('/srv/app/dist/a/b.js', roots)).toBe('a/b.js');
  expect(toFileName('/srv/app/lib/b.js', roots)).toBe('lib/b.js');
  expect(toFileName('/elsewhere/b.js', roots)).toBe('b.js');
});

test('what no server is made of is noise, what it may be made of is not', () => {
  for (const name of ['.git', 'node_modules', '.cache', '__pycache__'])
    expect(isNoiseFolder(name), name).toBe(true);
  for (const name of ['dist', 'build', 'src']) expect(isNoiseFolder(name), name).toBe(false);
  for (const name of ['a.log', 'a.js~', '.a.js.swp', '.#a.js', '4913', 'data.sqlite', 'x.db-wal'])
    expect(isNoiseFile(name), name).toBe(true);
  for (const name of ['.env', 'server.js', 'app.html', 'data.json', 'login.js'])
    expect(isNoiseFile(name), name).toBe(false);
});

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFolder, waitFor } from '../gateway.test-support.js';
import type { ServerFinding } from '../facts/server-findings.js';
import { watchFolders, type FolderLimits } from './folder-watch.js';
import type { WatchRoot } from './watched-files.js';

const watch = async (roots: readonly WatchRoot[], limits?: FolderLimits) => {
  const changed: string[] = [];
  const problems: ServerFinding[] = [];
  const folders = watchFolders(roots, {
    onChange: (path) => changed.push(path),
    onProblem: (problem) => problems.push(problem),
    ...(limits && { limits }),
  });
  onTestFinished(() => folders.close());
  await folders.ready;
  return { changed, problems, folders };
};

test('a folder with more entries than are looked through is watched itself, and that is said once', async () => {
  const folder = createFolder();
  for (let count = 0; count < 300; count += 1) writeFileSync(join(folder, `f${count}`), '');
  const { changed, problems } = await watch([{ folder }], { maxFolders: 10, maxEntries: 100 });
  expect(problems).toMatchObject([{ code: 'watch-limited' }]);
  writeFileSync(join(folder, 'f299'), 'x');
  await waitFor(() => changed.includes(join(folder, 'f299')));
});

test('of one file that is named nothing else of its folder is told, also after a rename over it', async () => {
  const folder = createFolder();
  const file = join(folder, 'server.py');
  const { changed } = await watch([{ folder, only: 'server.py' }]);
  writeFileSync(join(folder, 'other.py'), 'x');
  writeFileSync(join(folder, 'next'), 'x');
  renameSync(join(folder, 'next'), file);
  await waitFor(() => changed.length > 0);
  expect(new Set(changed)).toEqual(new Set([file]));
});

test('a folder that is deleted and made again is watched again, with all that is new in it', async () => {
  const outer = createFolder();
  const folder = join(outer, 'built');
  mkdirSync(folder);
  const { changed } = await watch([{ folder }]);
  rmSync(folder, { recursive: true });
  await waitFor(() => changed.includes(folder));
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'assets/app.html'), 'x');
  await waitFor(() => changed.includes(join(folder, 'assets/app.html')));
  changed.length = 0;
  writeFileSync(join(folder, 'assets/app.html'), 'y');
  await waitFor(() => changed.includes(join(folder, 'assets/app.html')));
});

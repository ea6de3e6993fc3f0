import { chmod, chown, lstat, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openCacheDir } from './compile-cache.js';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'casement-cache-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const open = (version = '1.0.0'): string | undefined => openCacheDir(version, { XDG_CACHE_HOME: home });

describe.skipIf(process.platform === 'win32')('the folder of compiled code', () => {
  test('is made for this user alone, and found again', async () => {
    const folder = open();
    expect(folder).toBe(join(home, 'casement/compiled/1.0.0'));
    for (const path of ['casement', 'casement/compiled', 'casement/compiled/1.0.0'].map((way) =>
      join(home, way),
    ))
      expect((await lstat(path)).mode & 0o777).toBe(0o700);
    expect(open()).toBe(folder);
  });

  test('is not used when others can write into it', async () => {
    await mkdir(join(home, 'casement/compiled/1.0.0'), { recursive: true });
    await chmod(join(home, 'casement/compiled/1.0.0'), 0o770);
    expect(open()).toBeUndefined();
  });

  test('is not used when others can put another in its place', async () => {
    await mkdir(join(home, 'casement'));
    await chmod(join(home, 'casement'), 0o777);
    expect(open()).toBeUndefined();
    await chmod(join(home, 'casement'), 0o1777);
    expect(open()).toBe(join(home, 'casement/compiled/1.0.0'));
  });

  test('is not used through a link to where others can write', async () => {
    const theirs = join(home, 'theirs');
    await mkdir(theirs);
    await chmod(theirs, 0o777);
    await mkdir(join(home, 'casement'));
    await symlink(theirs, join(home, 'casement/compiled'));
    expect(open()).toBeUndefined();
  });

  test.skipIf(process.getuid?.() !== 0)(
    'is not used when another user owns it, or a folder above',
    async () => {
      const folder = open() ?? '';
      await chown(folder, 12_345, 12_345);
      expect(open()).toBeUndefined();
      await chown(folder, 0, 0);
      expect(open()).toBe(folder);
      await chown(join(home, 'casement'), 12_345, 12_345);
      expect(open()).toBeUndefined();
    },
  );

  test('holds one release: the next one removes what the last has kept, and nothing else', async () => {
    const first = open('1.0.0') ?? '';
    await writeFile(join(first, 'kept'), '');
    await writeFile(join(home, 'casement/compiled/notes'), '');
    expect(open('1.0.0')).toBe(first);
    expect(await readdir(first)).toEqual(['kept']);
    expect(open('1.0.1')).toBe(join(home, 'casement/compiled/1.0.1'));
    expect(await readdir(join(home, 'casement/compiled'))).toEqual(['1.0.1', 'notes']);
  });

  test('is nowhere when it cannot be made', async () => {
    await writeFile(join(home, 'casement'), '');
    expect(open()).toBeUndefined();
  });
});

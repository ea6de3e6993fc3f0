import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
// @ts-expect-error -- scripts are plain JavaScript without types
import { toShellWord as untyped } from '../scripts/lib/shell-word.mjs';

const toShellWord = untyped as (text: string) => string;

const root = join(import.meta.dirname, '..');

const pack = (...args: string[]) => {
  const env = { ...process.env, INIT_CWD: root };
  return spawnSync(process.execPath, [join(root, 'scripts/pack-all.mjs'), ...args], {
    env,
    encoding: 'utf8',
  });
};

test.each([
  { args: [], reason: 'name one folder for the packages: npm run pack:all -- ../packages' },
  { args: ['--help'], reason: 'name one folder for the packages: npm run pack:all -- ../packages' },
  { args: ['../a', '../b'], reason: 'name one folder for the packages: npm run pack:all -- ../packages' },
  { args: ['.'], reason: 'is inside this repository; name a folder beside it: ../packages' },
  { args: ['packages'], reason: 'is inside this repository; name a folder beside it: ../packages' },
  { args: ['..packages'], reason: 'is inside this repository; name a folder beside it: ../packages' },
])('pack:all $args packs nothing and says what to write', ({ args, reason }) => {
  const before = readdirSync(root);
  const { status, stdout, stderr } = pack(...args);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^casement: .*\n$/);
  expect(stderr).toContain(reason);
  expect(stdout).toBe('');
  expect(readdirSync(root)).toEqual(before);
});

test('pack:all follows a link into this repository, and packs nothing there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'casement-pack-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  symlinkSync(root, join(folder, 'link'));
  const { status, stderr } = pack(join(folder, 'link', 'no-such-folder', 'within'));
  expect(status).toBe(1);
  expect(stderr).toContain('is inside this repository');
});

test
  .skipIf(process.platform === 'win32')
  .each(['/tmp/packages-1.0', '/tmp/with space', "/tmp/it's $(touch x) `y` ; z\\"])(
  'the command that pack:all prints takes %s as one word',
  (path) => {
    expect(execFileSync('sh', ['-c', `printf %s ${toShellWord(path)}`], { encoding: 'utf8' })).toBe(path);
  },
);

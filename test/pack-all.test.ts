import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

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

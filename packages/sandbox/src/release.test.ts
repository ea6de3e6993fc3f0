import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SANDBOX_RELEASE } from './release.js';

test('the release that addresses carry is the one of the package', () => {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(manifest).toMatchObject({ version: SANDBOX_RELEASE });
});

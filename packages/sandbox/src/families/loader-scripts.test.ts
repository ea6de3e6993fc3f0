import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { appFamilies } from './app-families.js';
import { loaderScripts } from './loader-scripts.js';

/** What only the code of one family says. */
const ownWords = {
  'mcp-apps': 'sandbox-shim-ready',
  openai: 'openai:set_globals',
  'mcp-ui': 'ui-lifecycle-iframe-render-data',
} as const;

const MAX_GZIP_BYTES = 4.6 * 1024;

test('every family has a loader, at a weight that no frame notices', () => {
  expect(Object.keys(loaderScripts).sort()).toEqual([...appFamilies].sort());
  for (const family of appFamilies) {
    const bytes = gzipSync(loaderScripts[family], { level: 9 }).length;
    expect(bytes, family).toBeGreaterThan(1024);
    expect(bytes, family).toBeLessThan(MAX_GZIP_BYTES);
  }
});

verifies(
  'S1-125',
  'no frame but that of an OpenAI widget carries code for one, and so for each family',
  () => {
    for (const family of appFamilies)
      for (const other of appFamilies)
        expect(loaderScripts[other].includes(ownWords[family]), `${family} in ${other}`).toBe(
          other === family,
        );
  },
);

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { createSandboxHandler } from '../handler/sandbox-handler.js';
import { createSandboxPolicy } from '../index.js';
import { toSandboxAddress } from '../address.js';
import { appFamilies } from './app-families.js';
import { loaderScripts } from './loader-scripts.js';

/** What only the code of one family says. */
const ownWords = {
  'mcp-apps': 'sandbox-shim-ready',
  openai: 'openai:set_globals',
  'mcp-ui': 'ui-lifecycle-iframe-render-data',
} as const;

const MAX_GZIP_BYTES = 6.1 * 1024;

const weigh = (family: keyof typeof loaderScripts): number =>
  gzipSync(loaderScripts[family], { level: 9 }).length;

test('every family has a loader, at a weight that no frame notices', () => {
  expect(Object.keys(loaderScripts).sort()).toEqual([...appFamilies].sort());
  for (const family of appFamilies) {
    expect(weigh(family), family).toBeGreaterThan(1024);
    expect(weigh(family), family).toBeLessThan(MAX_GZIP_BYTES);
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

verifies('S1-125', 'the decision record states the sizes that are built, to a fifth', () => {
  const record = readFileSync(
    new URL('../../../../docs/decisions/0008-three-families-one-path.md', import.meta.url),
    'utf8',
  );
  const [, stated = ''] = /\(gzip: ([^)]+)\)/.exec(record) ?? [];
  const names = { 'mcp-apps': 'MCP Apps', openai: 'OpenAI', 'mcp-ui': 'MCP-UI' } as const;
  for (const family of appFamilies) {
    const [, kilobytes] = new RegExp(`${names[family]} ([\\d.]+) KB`).exec(stated) ?? [];
    const ratio = weigh(family) / 1024 / Number(kilobytes);
    expect(ratio, `${family}: ${kilobytes} KB stated`).toBeGreaterThan(0.8);
    expect(ratio, `${family}: ${kilobytes} KB stated`).toBeLessThan(1.2);
  }
});

verifies('S1-125', 'the OpenAI family is kept: its frames are served with its loader', async () => {
  const base = 'http://casement.localhost:6271';
  const hostOrigin = 'http://casement.localhost:6270';
  const handle = createSandboxHandler({ base, hostOrigins: [hostOrigin] });
  for (const family of appFamilies) {
    const input = { hostOrigin, base, server: 'c2VydmVy', resourceUri: 'ui://test/app', family };
    const { appUrl } = await toSandboxAddress(base, createSandboxPolicy(input).policy);
    const response = await handle(new Request(appUrl));
    expect([family, response.status]).toEqual([family, 200]);
    const page = await response.text();
    const spoken = appFamilies.filter((each) => page.includes(ownWords[each]));
    expect(spoken).toEqual([family]);
  }
});

// What an embedder's page loads: Casement's host beside the official bridge, both bundled and gzipped the same way.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { measureEager, measureHost } from '../../scripts/lib/sizes.mjs';
import { root } from '../../scripts/lib/run.mjs';

// What a page that uses the official bridge has in its bundle; the bridge is there with the test servers.
const bridgePage = '.cache/bench/official-bridge.mjs';
const bridge = '@modelcontextprotocol/ext-apps/dist/src/app-bridge.js';

const measureBridge = async () => {
  await mkdir(join(root, '.cache/bench'), { recursive: true });
  await writeFile(
    join(root, bridgePage),
    `export { AppBridge, PostMessageTransport } from '../../e2e/servers/node_modules/${bridge}';\n`,
  );
  return measureEager([bridgePage]);
};

/** The rows of the size bench. */
export const benchSize = async () => {
  const host = await measureHost();
  const official = await measureBridge();
  return [
    {
      name: 'host, gzip, before an app is shown',
      unit: 'B',
      casement: host.gzip,
      beside: official.gzip,
      other: 'official AppBridge',
    },
    {
      name: 'host, gzip, with all that is loaded on demand',
      unit: 'B',
      casement: host.wholeGzip,
      beside: official.wholeGzip,
      other: 'official AppBridge',
    },
  ];
};

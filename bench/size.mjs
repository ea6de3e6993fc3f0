// What an embedder's page loads: Casement's host beside the official bridge, both bundled and gzipped the same way.
import { join } from 'node:path';
import { measureEager, measureHost } from '../scripts/lib/sizes.mjs';
import { root } from '../scripts/lib/run.mjs';

/** The row of the size bench. */
export const benchSize = async () => {
  const host = await measureHost();
  const bridge = await measureEager(['bench/official-bridge.mjs'], {
    nodePaths: [join(root, 'e2e/servers/node_modules')],
  });
  return [
    {
      name: 'host, gzip, before an app is shown',
      unit: 'B',
      casement: host.gzip,
      beside: bridge.gzip,
      other: 'official AppBridge',
    },
    {
      name: 'host, gzip, with all that is loaded on demand',
      unit: 'B',
      casement: host.wholeGzip,
      beside: bridge.wholeGzip,
      other: 'official AppBridge',
    },
  ];
};

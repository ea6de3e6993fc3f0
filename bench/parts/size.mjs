// What an embedder's page loads: Casement's host beside the official bridge and, where the peers are installed, beside
// the AI SDK's renderer; all bundled and gzipped the same way.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildAppPage, measureEager, measureHost } from '../../scripts/lib/sizes.mjs';
import { root } from '../../scripts/lib/run.mjs';

const measurePage = async (name, code) => {
  const file = `.cache/bench/${name}.mjs`;
  await mkdir(join(root, '.cache/bench'), { recursive: true });
  await writeFile(join(root, file), code);
  return measureEager([file], ['react', 'react-dom', 'react/jsx-runtime']);
};

/** What a page that uses the official bridge has in its bundle; the bridge is there with the test servers. */
const measureBridge = () => {
  const bridge = 'e2e/servers/node_modules/@modelcontextprotocol/ext-apps/dist/src/app-bridge.js';
  return measurePage(
    'official-bridge',
    `export { AppBridge, PostMessageTransport } from '../../${bridge}';\n`,
  );
};

/** The same of the AI SDK's renderer, without React; nothing where it is not installed. */
const measureRenderer = async () => {
  const renderer = 'bench/peers/node_modules/@ai-sdk/react/dist/index.js';
  if (!existsSync(join(root, renderer))) return undefined;
  return measurePage('ai-sdk-renderer', `export { MCPAppRenderer } from '../../${renderer}';\n`);
};

/** The rows of the size bench. */
export const benchSize = async () => {
  const host = await measureHost();
  const { gzip: oneApp } = await buildAppPage();
  const official = await measureBridge();
  const renderer = await measureRenderer();
  return [
    {
      name: 'host, gzip, before an app is shown',
      unit: 'B',
      casement: host.gzip,
      beside: official.gzip,
      other: 'official AppBridge',
    },
    {
      name: 'host, gzip, with one plain app',
      unit: 'B',
      casement: oneApp,
      beside: official.gzip,
      other: 'official AppBridge',
    },
    ...(renderer === undefined
      ? []
      : [
          {
            name: 'host, gzip, with one plain app, beside a renderer alone',
            unit: 'B',
            casement: oneApp,
            beside: renderer.gzip,
            other: "AI SDK's MCPAppRenderer",
          },
        ]),
    {
      name: 'host, gzip, with all that is loaded on demand',
      unit: 'B',
      casement: host.wholeGzip,
      beside: official.wholeGzip,
      other: 'official AppBridge',
    },
  ];
};

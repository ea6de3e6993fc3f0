import { join } from 'node:path';
import { root } from '../scripts/lib/run.mjs';
import { findFreePort, startProgram } from './start-program.mjs';

/** The published server whose app the benches show: a tool that returns the time. */
export const publishedServer = {
  script: join(root, 'e2e/servers/node_modules/@modelcontextprotocol/server-basic-react/dist/index.js'),
  tool: 'get-time',
  uri: 'ui://get-time/mcp-app.html',
};

/** Starts it over HTTP. */
export const startPublishedServer = async (node = process.execPath) => {
  const port = await findFreePort();
  const { stop } = await startProgram({
    command: node,
    args: [publishedServer.script],
    env: { PORT: `${port}` },
    address: /listening on (\S+)/,
  });
  return { url: `http://localhost:${port}/mcp`, stop };
};

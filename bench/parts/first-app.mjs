// One command from a server you have to its app on the screen: the published basic-react server, a browser already open.
import { join } from 'node:path';
import { root } from '../../scripts/lib/run.mjs';
import { median } from '../figures.mjs';
import { createLink, startCli } from '../start-cli.mjs';

const server = join(root, 'e2e/servers/node_modules/@modelcontextprotocol/server-basic-react/dist/index.js');

const measureOnce = async (browser) => {
  const start = performance.now();
  const cli = await startCli(['--run', 'get-time', '--', process.execPath, server, '--stdio']);
  const listening = performance.now() - start;
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(await createLink(cli.url));
    await page.waitForSelector('#stage[data-app-status="ready"]', { state: 'attached' });
    return { listening, shown: performance.now() - start };
  } finally {
    await context.close();
    await cli.stop();
  }
};

/** The rows of the start bench. */
export const benchFirstApp = async (browser, { rounds }) => {
  const runs = [];
  for (let round = 0; round < rounds; round += 1) runs.push(await measureOnce(browser));
  return [
    { name: 'command to connected server', unit: 'ms', casement: median(runs.map((run) => run.listening)) },
    { name: 'command to app on screen', unit: 'ms', casement: median(runs.map((run) => run.shown)) },
  ];
};

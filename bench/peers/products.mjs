// Casement and its peers: how each is started beside a server that listens already, and how a person runs its tool.
import { join } from 'node:path';
import { root } from '../../scripts/lib/run.mjs';
import { createLink } from '../start-cli.mjs';
import { findFreePort } from '../start-program.mjs';

const installed = join(root, 'bench/peers/node_modules');

/** Begins a change of colour in what a command prints. */
const escape = String.fromCharCode(27);

const casement = {
  name: 'Casement',
  plan: async (serverUrl) => {
    const port = await findFreePort();
    return {
      args: [
        join(root, 'packages/casement/dist/cli.js'),
        '--json',
        '--no-open',
        '--port',
        `${port}`,
        serverUrl,
      ],
      url: `http://localhost:${port}/`,
      address: /"url":"([^"]+)"/,
      toPage: createLink,
    };
  },
  usable: { selector: 'button', text: 'Run' },
  /** Its only tool is chosen when the page comes. */
  choose: async (page) => page.locator('button:enabled', { hasText: /^Run$/ }).waitFor(),
  run: (page) => page.getByRole('button', { name: 'Run', exact: true }).click(),
};

const inspector = {
  name: 'MCP Inspector',
  package: '@modelcontextprotocol/inspector',
  plan: async (serverUrl) => {
    const [port, sandboxPort, appPort] = [await findFreePort(), await findFreePort(), await findFreePort()];
    return {
      args: [
        join(installed, '@modelcontextprotocol/inspector/clients/launcher/build/index.js'),
        ...['--web', '--transport', 'http', '--server-url', serverUrl],
      ],
      env: {
        HOST: 'localhost',
        CLIENT_PORT: `${port}`,
        MCP_SANDBOX_PORT: `${sandboxPort}`,
        MCP_APP_ORIGIN_PORT: `${appPort}`,
        MCP_AUTO_OPEN_ENABLED: 'false',
        MCP_INSPECTOR_SECRET_STORE: 'memory',
      },
      url: `http://localhost:${port}/`,
      address: /(http:\/\/localhost:\d+\S*MCP_INSPECTOR_API_TOKEN=\w+)/,
    };
  },
  usable: { selector: 'input[role="switch"]' },
  choose: async (page) => {
    // The control that is drawn is the label's; the field itself has no size.
    await page.getByRole('switch').first().click({ force: true });
    await page.getByText('Apps', { exact: true }).first().click();
    await page.getByRole('button', { name: /^Get Time/ }).waitFor();
  },
  /** To choose a tool without arguments is to run it. */
  run: (page) => page.getByRole('button', { name: /^Get Time/ }).click(),
  /** Once open, an app is shown until it is closed. */
  runAgain: async (page) => {
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('button', { name: /^Get Time/ }).click();
  },
};

const mcpUse = {
  name: 'mcp-use',
  package: '@mcp-use/inspector',
  plan: async (serverUrl) => {
    const port = await findFreePort();
    return {
      args: [
        join(installed, '@mcp-use/inspector/dist/cli.js'),
        ...['--no-open', '--port', `${port}`, '--url', serverUrl],
      ],
      env: { MCP_USE_ANONYMIZED_TELEMETRY: 'false' },
      url: `http://localhost:${port}/inspector`,
      address: /started at (\S+)/,
      // What the command opens in a browser.
      toPage: (address) => `${address}?autoConnect=${encodeURIComponent(serverUrl)}`,
    };
  },
  usable: { selector: '[data-testid="tool-item-get-time"]' },
  choose: async (page) => {
    await page.getByTestId('tool-item-get-time').click();
    await page.getByTestId('tool-execution-execute-button').waitFor();
  },
  run: (page) => page.getByTestId('tool-execution-execute-button').click(),
};

const sunpeak = {
  name: 'sunpeak',
  package: 'sunpeak',
  plan: async (serverUrl) => {
    const [port, sandboxPort] = [await findFreePort(), await findFreePort()];
    return {
      args: [
        join(installed, 'sunpeak/bin/sunpeak.js'),
        ...['inspect', '--server', serverUrl, '--port', `${port}`],
      ],
      // With CI it opens no browser.
      env: { CI: '1', NO_COLOR: '1', SUNPEAK_SANDBOX_PORT: `${sandboxPort}` },
      url: `http://localhost:${port}/`,
      address: new RegExp(
        `Local(?:${escape}\\[\\d+m)*:\\s+(?:${escape}\\[\\d+m)*(http:\\S+?)(?:${escape}|/)`,
      ),
      toPage: () => `http://localhost:${port}/`,
    };
  },
  usable: { selector: 'button', text: 'Run' },
  choose: async (page) => page.getByRole('button', { name: 'Run', exact: true }).waitFor(),
  run: (page) => page.getByRole('button', { name: 'Run', exact: true }).click(),
};

/** All that are compared, Casement first. */
export const products = [casement, inspector, mcpUse, sunpeak];

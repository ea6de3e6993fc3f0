import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { callApi } from '../support/api.js';
import { readFaults } from '../support/axe.js';
import { eventually } from '../support/eventually.js';
import { browser, casement, useCasement } from '../support/use-casement.js';
import { openInspector, type InspectorPage } from './support.js';

const pythonServer = join(import.meta.dirname, '../../packages/gateway/test-fixtures/python-server.py');

let hold: string;
let deadPort: number;

/** A port that nobody listens at. */
const findDeadPort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server has this kind of address.
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

/** Ends at once, until the file is there: then it hangs and says so. */
const hangsOnceThereIs = (file: string): string[] => [
  process.execPath,
  '-e',
  `if (!require('node:fs').existsSync(${JSON.stringify(file)})) process.exit(1); console.error('still fetching'); setInterval(() => {}, 1000)`,
];

useCasement(async (folder) => {
  deadPort = await findDeadPort();
  hold = join(folder, 'hold');
  return {
    python: ['python3', pythonServer],
    late: ['python3', pythonServer, '--wait', '1.5'],
    hanging: hangsOnceThereIs(hold),
    dead: { url: `http://127.0.0.1:${deadPort}/mcp` },
  };
});

/** The steps as they are read out: name, state, time, verdict. */
const readSteps = async ({ page }: InspectorPage): Promise<string[]> => {
  const steps = page.getByRole('list', { name: 'Steps to the server' }).getByRole('listitem');
  return (await steps.allTextContents()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
};

test('the app of a server in Python runs, and how it was connected is shown on demand', async () => {
  const inspector = await openInspector(browser, casement.url, {
    server: 'python',
    tool: 'hello',
    run: true,
  });
  await inspector.stage.reaches('ready');
  expect(await readSteps(inspector)).toEqual([]);
  await inspector.page.getByText('Connection', { exact: true }).click();
  await eventually(() => readSteps(inspector)).toEqual([
    expect.stringMatching(/^✓Program found done.*It is \/.*python3/),
    expect.stringMatching(/^✓Started done.*It runs as process \d+\./),
    expect.stringMatching(/^✓First line done/),
    expect.stringMatching(/^✓Handshake done.*speaks 2025-06-18/),
    expect.stringMatching(/^✓Lists done.*1 tool/),
  ]);
  await inspector.close();
});

test('a link that runs a tool waits for its server to be started', async () => {
  const restarted = callApi(casement, 'POST', '/api/servers/late/restart', {});
  const inspector = await openInspector(browser, casement.url, { server: 'late', tool: 'hello', run: true });
  await inspector.stage.reaches('ready');
  expect((await restarted).status).toBe(200);
  await inspector.close();
});

test('a start that hangs shows its steps and what it writes; Cancel ends it, the page stays usable', async () => {
  const inspector = await openInspector(browser, casement.url, { server: 'hanging' });
  writeFileSync(hold, '');
  await inspector.button('Restart server').click();
  await eventually(() => readSteps(inspector)).toContainEqual(expect.stringMatching(/First line under way/));
  const section = inspector.page.getByRole('region', { name: 'Servers' });
  await eventually(() => section.innerText()).toMatch(/\d s so far[^]*still fetching/);
  // Meanwhile another server works.
  await inspector.choose('python', 'hello');
  await inspector.runApp();
  await inspector.choose('hanging');
  await inspector.button('Cancel start').click();
  await eventually(() => section.getByRole('alert').textContent()).toContain('start-cancelled');
  expect(await readSteps(inspector)).toContainEqual(expect.stringMatching(/First line failed/));
  await inspector.close();
});

describe.each([
  { scheme: 'light', width: 1440 },
  { scheme: 'dark', width: 390 },
] as const)('an address that fails, in $scheme at $width px', (look) => {
  let inspector: InspectorPage;
  beforeAll(async () => {
    inspector = await openInspector(browser, casement.url, { server: 'dead' }, look);
    if (look.width < 720) await inspector.button('Tools').click();
  });

  test('shows at which step and what to do; Diagnose tries again; axe finds nothing', async () => {
    await eventually(() => readSteps(inspector)).toContainEqual(
      expect.stringMatching(
        /✕Connected failed.*Nothing listens at 127\.0\.0\.1 port \d+\. ?Start the server/,
      ),
    );
    expect(await readFaults(inspector.page)).toEqual([]);
    const diagnosed = inspector.page.waitForResponse((response) => response.url().endsWith('/diagnose'));
    await inspector.button('Diagnose connection').press('Enter');
    expect((await diagnosed).status()).toBe(200);
    await eventually(() => inspector.button('Diagnose connection').isEnabled()).toBe(true);
    expect(await readSteps(inspector)).toContainEqual(expect.stringMatching(/Connected failed/));
    const excess = await inspector.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(excess).toBeLessThanOrEqual(0);
    await inspector.close();
  });
});

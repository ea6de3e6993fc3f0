import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeContexts, openBrowser } from '../support/browser.js';
import { runCasement, startCasement, type RunningCasement } from '../support/casement.js';
import { createTempFolder, writeConfig } from '../support/config-file.js';
import { eventually } from '../support/eventually.js';
import { listRunning } from '../support/processes.js';
import { fixtureServer } from '../support/server-commands.js';
import { openStage, toStage } from '../support/stage.js';

const folder = createTempFolder();
afterAll(() => folder.remove());

/** Holds a free port of this address while `use` runs. */
const listen = async <T>(address: string, use: (port: number) => Promise<T>): Promise<T> => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, address, resolve));
  try {
    // A TCP server always reports an AddressInfo.
    return await use((holder.address() as AddressInfo).port);
  } finally {
    await new Promise((resolve) => holder.close(resolve));
  }
};

describe('a running command', () => {
  let browser: Browser;
  let casement: RunningCasement;
  let server: string;
  beforeAll(async () => {
    [browser, casement] = await Promise.all([openBrowser(), startCasement(['--', ...fixtureServer()])]);
    server = casement.servers[0]?.name ?? '';
  });
  afterAll(async () => {
    await closeContexts();
    await casement?.stop();
  });

  test('--json prints exactly one line with url, token, sandbox origin and servers', () => {
    expect(casement.stdout().trimEnd().split('\n')).toHaveLength(1);
    const line: unknown = JSON.parse(casement.stdout());
    expect(line).toEqual({
      url: expect.stringMatching(/^http:\/\/localhost:\d+\/(\?[^#]*)?#token=/),
      token: expect.stringMatching(/^[\w-]{40,}$/),
      sandboxOrigin: expect.stringMatching(/^http:\/\/sandbox\.casement\.localhost:\d+$/),
      servers: [{ name: expect.stringMatching(/\S/), status: 'ready' }],
    });
  });

  test('the url works in several pages at once, and with query parameters added', async () => {
    const link = { server, tool: 'well-behaved', args: { n: 1 }, run: true };
    const stages = await Promise.all([
      openStage(browser, casement.url, link),
      openStage(browser, casement.url, { ...link, args: { n: 2 } }),
      openStage(browser, casement.url),
    ]);
    const [first, second, plain] = stages;
    await first?.reaches('ready');
    await second?.reaches('ready');
    const input = async (stage = first) => (await stage?.app())?.locator('#input').textContent();
    await eventually(() => input(first)).toBe('{"n":1}');
    await eventually(() => input(second)).toBe('{"n":2}');
    await eventually(() => plain?.tool.locator('option').count() ?? 0).toBeGreaterThan(5);
    expect(await plain?.status()).toBe('idle');
    await Promise.all(stages.map((stage) => stage.close()));
  });

  test('--run brings the app of a tool on screen with one command', async () => {
    const asked = await startCasement([
      '--run',
      'well-behaved',
      '--args',
      '{"n":3}',
      '--',
      ...fixtureServer(),
    ]);
    const stage = await openStage(browser, asked.url);
    await stage.reaches('ready');
    const app = await stage.app();
    await eventually(() => app.locator('#input').textContent()).toBe('{"n":3}');
    await stage.close();
    await asked.stop();
  });

  test('a deep link without run=1 selects and fills, and Run then runs', async () => {
    const stage = await openStage(browser, casement.url, {
      server,
      tool: 'well-behaved',
      args: { filled: true },
    });
    await eventually(() => stage.tool.inputValue()).toBe('well-behaved');
    expect(JSON.parse(await stage.toolArguments.inputValue())).toEqual({ filled: true });
    expect(await stage.status()).toBe('idle');
    await stage.run();
    await stage.reaches('ready');
    const app = await stage.app();
    await eventually(() => app.locator('#input').textContent()).toBe('{"filled":true}');
    await stage.close();
  });

  test('the token leaves the address and history at once and survives a reload', async () => {
    const stage = await openStage(browser, casement.url, { server, tool: 'well-behaved', run: true });
    await stage.reaches('ready');
    expect(stage.page.url()).not.toContain(casement.token);
    expect(stage.page.url()).not.toContain('#token');
    expect(new URL(stage.page.url()).searchParams.get('tool')).toBe('well-behaved');
    await stage.page.goBack().catch(() => null);
    expect(stage.page.url()).not.toContain(casement.token);
    await stage.close();

    const again = await openStage(browser, casement.url, { server, tool: 'well-behaved' });
    await eventually(() => again.tool.inputValue()).toBe('well-behaved');
    await again.page.reload();
    await eventually(() => again.tool.inputValue()).toBe('well-behaved');
    await again.run();
    await again.reaches('ready');
    await again.close();
  });

  test('without a token the page says where to get one', async () => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(casement.url.replace(/#.*/, ''));
    await eventually(() => page.locator('body').innerText()).toMatch(/token/i);
    expect(await toStage(page).status()).toBe('idle');
    await page.context().close();
  });
});

describe('a command that cannot start', () => {
  const refuses = async (args: string[], says: RegExp) => {
    const { code, stdout, stderr: said } = await runCasement(args);
    // A busy machine may take more than the second after which a server is spoken of.
    const stderr = said.replaceAll(/^casement: waiting for .*\n/gm, '');
    expect(stderr).toMatch(says);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.trim().split('\n'), stderr).toHaveLength(1);
    expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+/m);
    expect(stderr).not.toContain('node:internal');
  };
  const options = ['--json', '--no-open', '--port', '0'];

  test('says so for a flag that does not exist', () => refuses([...options, '--colour'], /--colour/));
  test('says so for a port that is no port', () =>
    refuses(['--json', '--no-open', '--port', 'many'], /port/i));
  test('says so for a flag without its value', () => refuses([...options, '--config'], /--config/));
  test('says so for a config that is not there', () =>
    refuses([...options, '--config', join(folder.path, 'absent.json')], /absent\.json/));

  test('says so for a config that is not JSON', () => {
    const path = join(folder.path, 'broken.json');
    writeFileSync(path, '{ "mcpServers": ');
    return refuses([...options, '--config', path], /broken\.json/);
  });

  test('says so for a config without servers', () => {
    const path = join(folder.path, 'other.json');
    writeFileSync(path, '{ "something": 1 }');
    return refuses([...options, '--config', path], /mcpServers|servers/);
  });

  test('says so for a command that is not found', () =>
    refuses([...options, '--', 'no-such-command-at-all'], /no-such-command-at-all/));
  test('says so for a command that exits at once', () =>
    refuses([...options, '--', process.execPath, '-e', 'process.exit(7)'], /7/));
  test('says so for an address at which nobody answers', async () => {
    const port = await listen('127.0.0.1', async (port) => port);
    await refuses([...options, `http://127.0.0.1:${port}/mcp`], /127\.0\.0\.1/);
  });

  test.each(['127.0.0.1', '::1'])('says so for a port that is taken on %s', async (address) => {
    await listen(address, (port) =>
      refuses(['--json', '--no-open', '--port', String(port)], new RegExp(String(port))),
    );
  });
});

test('one server that fails among others does not keep the others from starting', async () => {
  const config = writeConfig(folder.path, {
    works: fixtureServer(),
    fails: [process.execPath, '-e', 'process.exit(7)'],
  });
  const casement = await startCasement(['--config', config, '--trust-config']);
  const status = Object.fromEntries(casement.servers.map(({ name, status }) => [name, status]));
  expect(status).toEqual({ works: 'ready', fails: expect.toBeOneOf(['failed', 'exited']) });
  await casement.stop();
});

describe('a command that ends', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s leaves no process behind', async (signal) => {
    const pidFile = join(folder.path, `${signal}.pids`);
    const config = writeConfig(folder.path, {
      one: fixtureServer({ name: 'one', pidFile }),
      two: fixtureServer({ name: 'two', pidFile, stubborn: true }),
    });
    const casement = await startCasement(['--config', config, '--trust-config']);
    const pids = readFileSync(pidFile, 'utf8').trim().split('\n').map(Number);
    expect(pids).toHaveLength(3);
    expect(listRunning(pids)).toHaveLength(3);
    expect(casement.descendants()).toEqual(expect.arrayContaining(pids));
    await casement.stop(signal);
    expect(listRunning(pids)).toEqual([]);
  });
});

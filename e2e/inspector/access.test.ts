import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { launchProfile } from '../support/browser.js';
import { startCasement } from '../support/casement.js';
import { createTempFolder } from '../support/config-file.js';
import { eventually } from '../support/eventually.js';
import { createLink } from '../support/link.js';
import { fixtureServer } from '../support/server-commands.js';
import { openStage, toDeepLink, toStage } from '../support/stage.js';
import { browser, casement, useCasement } from '../support/use-casement.js';

const server = 'fixture';

useCasement({ [server]: fixtureServer() });

const notice = (page: Page) => page.locator('body').innerText();

/** Every file below a folder that holds a text, in either of the forms browsers write. */
const findFiles = (path: string, text: string): string[] => {
  const forms = [Buffer.from(text, 'utf8'), Buffer.from(text, 'utf16le')];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => {
      const content = readFileSync(file);
      return forms.some((form) => content.includes(form));
    });
};

describe('sec-B12 a link opens the page once', () => {
  test('and no file of the browser’s profile ever holds the token', async () => {
    const profile = createTempFolder();
    const context = await launchProfile(profile.path);
    const link = await createLink(casement);
    const stage = toStage(await context.newPage());
    await stage.page.goto(toDeepLink(link, { server, tool: 'well-behaved', run: true }));
    await stage.reaches('ready');
    expect(new URL(stage.page.url()).hostname).toBe('casement.localhost');
    await stage.page.reload();
    await eventually(() => stage.tool.inputValue()).toBe('well-behaved');
    // What the tab keeps for its next reload is written down within seconds; wait until it is.
    const key = await stage.page.evaluate(() => sessionStorage.getItem('casement.tab-key') ?? '');
    expect(key).toMatch(/^[\w-]{43}$/);
    await eventually(() => findFiles(profile.path, key).length).toBeGreaterThan(0);
    await context.close();
    // The search would have found it: the dead code is in the history.
    const code = new URL(link).hash.slice('#code='.length);
    expect(findFiles(profile.path, code).length).toBeGreaterThan(0);
    expect(findFiles(profile.path, casement.token)).toEqual([]);
    profile.remove();
  });

  test('and runs what it asks for, as one with the token does', async () => {
    const stage = await openStage(browser, await createLink(casement), {
      server,
      tool: 'well-behaved',
      run: true,
    });
    await stage.reaches('ready');
    expect(stage.page.url()).not.toMatch(/code=|token=/);
    await stage.close();
  });

  test('the second time it says so, says what to do, and runs nothing', async () => {
    const link = await createLink(casement);
    const first = await openStage(browser, link);
    await eventually(() => first.tool.inputValue()).not.toBe('');
    const second = await browser.newContext();
    const page = await second.newPage();
    await page.goto(toDeepLink(link, { server, tool: 'well-behaved', run: true }));
    await eventually(() => notice(page)).toMatch(
      /This link was used already\. Open the link that stands last/,
    );
    expect(page.url()).not.toContain('code=');
    expect(await toStage(page).status()).toBe('idle');
    // Nothing is lost: the first tab works on, also after a reload, and with the dead link in it.
    await first.page.reload();
    await eventually(() => first.tool.inputValue()).not.toBe('');
    await first.page.goto(link.replace('localhost', 'casement.localhost'));
    await first.page.reload();
    await eventually(() => first.tool.inputValue()).not.toBe('');
    await second.close();
    await first.close();
  });

  test('one that nobody made is refused by name', async () => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`http://localhost:${casement.port}/#code=${'x'.repeat(43)}`);
    await eventually(() => notice(page)).toMatch(/not one of the gateway that runs here/);
    await page.context().close();
  });

  test('a program may still bring the token, and the page does not pass it on in an address', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const visited: string[] = [];
    page.on('framenavigated', (frame) => visited.push(frame.url()));
    await page.goto(casement.url);
    await eventually(() => toStage(page).tool.inputValue()).not.toBe('');
    expect(visited.filter((url) => url.includes('casement.localhost'))).not.toEqual([]);
    expect(
      visited.filter((url) => url.includes('casement.localhost') && url.includes(casement.token)),
    ).toEqual([]);
    const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
    expect(kept).not.toContain(casement.token);
    await context.close();
  });
});

test('sec-B11 a page elsewhere takes no cookie of the developer’s other servers away', async () => {
  const other = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'session=developer; Max-Age=600' });
    response.end('<button>Go</button>');
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  // A TCP server always reports an AddressInfo.
  const { port } = other.address() as AddressInfo;
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`http://localhost:${port}/`);
  const elsewhere = await context.newPage();
  await elsewhere.goto(`http://127.0.0.1:${port}/`);
  for (const name of ['localhost', 'casement.localhost', '127.0.0.1']) {
    for (const at of [casement.port, casement.sandboxPort]) {
      const [opened] = await Promise.all([
        context.waitForEvent('page'),
        elsewhere.evaluate(
          (address) => void window.open(`${address}?${'x'.repeat(1_100_000)}`),
          `http://${name}:${at}/`,
        ),
      ]);
      await opened.waitForLoadState().catch(() => null);
      await opened.close();
    }
  }
  const cookies = await context.cookies(`http://localhost:${port}/`);
  expect(cookies.map(({ name, value }) => `${name}=${value}`)).toEqual(['session=developer']);
  await context.close();
  other.close();
});

test('sec-W4 two accounts of one server cannot read what the other’s app keeps', async () => {
  const accounts = createTempFolder();
  const [command = '', ...args] = fixtureServer();
  const entry = (account: string) => ({ command, args, env: { ACCOUNT: account } });
  const config = join(accounts.path, 'mcp.json');
  writeFileSync(config, JSON.stringify({ mcpServers: { alice: entry('alice'), bob: entry('bob') } }));
  const running = await startCasement(['--config', config, '--trust-config']);
  const context = await browser.newContext();
  const open = async (name: string) => {
    const stage = toStage(await context.newPage());
    const link = new URL(toDeepLink(running.url, { server: name, tool: 'well-behaved', run: true }));
    // Storage that ends with the page is nobody else's anyway.
    link.searchParams.set('storage', 'persistent');
    await stage.page.goto(link.href);
    await stage.reaches('ready');
    return stage.app();
  };
  const alice = await open('alice');
  await alice.evaluate(() => localStorage.setItem('private', 'ALICE-PRIVATE'));
  const bob = await open('bob');
  expect(await bob.evaluate(() => localStorage.getItem('private'))).toBeNull();
  expect(new URL(bob.url()).origin).not.toBe(new URL(alice.url()).origin);
  const again = await open('alice');
  expect(await again.evaluate(() => localStorage.getItem('private'))).toBe('ALICE-PRIVATE');
  await context.close();
  await running.stop();
  accounts.remove();
});

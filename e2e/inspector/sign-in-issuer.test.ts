import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  isActive,
  sendJson,
  startFakeIssuer,
  startIssuer,
  startProtected,
  visitIssuer,
  type ProtectedServer,
} from '../../packages/gateway/src/sign-in/protected-server.test-support.js';
import { createRecordStore } from '../../packages/gateway/src/sign-in/record-store.js';
import { findFreePort } from '../browsers/support/free-port.js';
import { callApi } from '../support/api.js';
import { readFaults } from '../support/axe.js';
import { closeContexts, openBrowser } from '../support/browser.js';
import { startCasement, type RunningCasement } from '../support/casement.js';
import { createTempFolder, writeConfig } from '../support/config-file.js';
import { eventually } from '../support/eventually.js';
import { shownFrame } from '../support/stage.js';
import { publishedScript, publishedServers } from '../support/server-commands.js';
import { openInspector, type InspectorPage } from './support.js';

// A published authorization server, a published server behind a door that asks it about every token, one page.

const folder = createTempFolder();
const folders = {
  XDG_CONFIG_HOME: join(folder.path, 'config'),
  XDG_STATE_HOME: join(folder.path, 'state'),
  XDG_CACHE_HOME: join(folder.path, 'cache'),
};
const ends: (() => void)[] = [];
const onEnd = (end: () => void): void => void ends.push(end);

let issuer: string;
let door: ProtectedServer;
let browser: Browser;
let casement: RunningCasement;
let inspector: InspectorPage;
let page: Page;
/** Where the tab that comes back from the issuer is. */
let tab: Page;
/** What the endpoint that redirects leads to. */
const stolen: string[] = [];

/** The published server, over HTTP. */
const startPublished = async (): Promise<string> => {
  const port = await findFreePort();
  const child = spawn(process.execPath, [publishedScript('@modelcontextprotocol/server-basic-react')], {
    env: { ...process.env, PORT: `${port}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onEnd(() => void child.kill());
  await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')]);
  return `http://localhost:${port}/mcp`;
};

beforeAll(async () => {
  const [target, started] = await Promise.all([startPublished(), startIssuer({}, onEnd)]);
  issuer = started;
  door = await startProtected(issuer, { target, onEnd });
  const inner = await startProtected(issuer, { onEnd });
  inner.metadata.authorization_servers = ['https://192.168.1.1'];
  const thief = await startFakeIssuer(
    (metadata) => metadata,
    (request, response) => {
      stolen.push(request.url ?? '');
      if (request.url === '/token') response.writeHead(307, { location: '/steal' }).end();
      else sendJson(response, {});
    },
    onEnd,
  );
  const redirecting = await startProtected(thief, { onEnd });
  const config = writeConfig(folder.path, {
    door: { url: door.url },
    inner: { url: inner.url },
    redirecting: { url: redirecting.url },
  });
  [browser, casement] = await Promise.all([
    openBrowser(),
    // A command that was typed has the environment of casement itself.
    startCasement(['--config', config, '--trust-config', '--', ...publishedServers.basicReact], {
      env: folders,
    }),
  ]);
  inspector = await openInspector(browser, casement.url, { server: 'door' });
  ({ page } = inspector);
  tab = await page.context().newPage();
});

afterAll(async () => {
  await closeContexts();
  await casement?.stop();
  for (const end of ends) end();
  folder.remove();
});

const region = (): Locator => page.getByRole('region', { name: 'Sign-in' });
const accounts = (): Promise<string[]> => region().getByRole('listitem').allInnerTexts();
const question = (): Locator => page.getByRole('dialog', { name: /^Sign in to / });
const problem = (): Locator => question().getByRole('alert');

/** Says yes in the question, once it takes that; returns where the user is sent. */
const agree = async (): Promise<string> => {
  const yes = question().locator('button.primary[aria-disabled="false"]');
  await yes.click();
  return (
    (await question()
      .getByRole('link', { name: /^Open / })
      .getAttribute('href')) ?? ''
  );
};
const visit = async (address: string | URL): Promise<string> => {
  await tab.goto(String(address));
  return tab.getByRole('heading').innerText();
};
const signedIn = 'You are signed in';
const notSignedIn = 'You are not signed in';

/** Signs in at the issuer's own pages, in a tab as a user has it. */
const signInByHand = async (user: string): Promise<void> => {
  const link = question().getByRole('link', { name: /^Open 127\.0\.0\.1/ });
  await eventually(() => link.evaluate((shown) => shown === document.activeElement)).toBe(true);
  const opened = page.context().waitForEvent('page');
  await page.keyboard.press('Enter');
  const own = await opened;
  await own.getByRole('textbox', { name: 'login' }).or(own.locator('[name="login"]')).fill(user);
  await own.locator('[name="password"]').fill('any');
  await own.getByRole('button').click();
  await own.getByRole('button', { name: 'Continue' }).click();
  await own.getByText('You can close this tab').waitFor();
  expect(await own.evaluate(() => [window.opener, document.scripts.length])).toEqual([null, 0]);
  await own.close();
};

const appOrigin = async (): Promise<string> => {
  const address = await page.locator(shownFrame).getAttribute('src');
  const { hostname } = new URL((await inspector.stage.app()).url());
  return `${new URL(address ?? '').hostname} ${hostname}`;
};
const steps = async (): Promise<string[]> =>
  (await inspector.stage.recording()).flatMap(({ raw }) => {
    const { signIn } = raw as { signIn?: { step?: string } }; // entries are objects
    return signIn?.step ?? [];
  });
const lastToken = (): string => [...door.seen].at(-1) ?? '';

test('one question names server, issuer and scopes; who signs in at the issuer has the app on the stage', async () => {
  await region().getByRole('button', { name: 'Sign in' }).click();
  await eventually(() => question().innerText()).toContain(new URL(issuer).host);
  expect(await question().innerText()).toMatch(/door[^]*openid[^]*mcp:read/);
  const yes = question().locator('button.primary');
  await eventually(() => yes.getAttribute('aria-disabled')).toBe('false');
  for (const [scheme, width] of [
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
    ['dark', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    expect(await readFaults(page), `${scheme} ${width}`).toEqual([]);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  // The keyboard is enough: from Cancel, which has the focus, back to the yes.
  await page.keyboard.press('Tab');
  expect(await yes.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await signInByHand('ada');
  await question().waitFor({ state: 'hidden' });
  await eventually(accounts).toEqual([expect.stringMatching(/^ada[^]*in use/)]);
  await inspector.choose('door', 'get-time');
  await inspector.runApp();
  expect(await (await inspector.stage.app()).getByRole('button').count()).toBeGreaterThan(0);
});

test('a token that is over is renewed without a question', async () => {
  const before = lastToken();
  await region().getByRole('button', { name: 'Expire now' }).click();
  await inspector.runApp();
  expect(lastToken()).not.toBe(before);
  expect(await question().count()).toBe(0);
  await eventually(steps).toEqual(expect.arrayContaining(['expired', 'renewed']));
});

test('a call that needs more is asked about by itself, waits, and goes on', async () => {
  door.writing.add('get-time');
  await inspector.stage.run();
  await question().waitFor();
  await eventually(() => question().innerText()).toMatch(/wants more than you agreed to[^]*mcp:write/);
  expect(await visit(await visitIssuer(await agree()))).toBe(signedIn);
  await question().waitFor({ state: 'hidden' });
  await inspector.stage.reaches('ready');
  await eventually(() => inspector.outcome.innerText()).not.toMatch(/^Failed/);
});

test('what comes back in another name, from another issuer or with a no is refused and said in the page', async () => {
  await region().getByRole('button', { name: 'Add an account' }).click();
  const back = new URL(await visitIssuer(await agree(), { user: 'grace' }));
  const forged = new URL(back);
  forged.searchParams.set('state', 'x'.repeat(43));
  expect(await visit(forged)).toBe(notSignedIn);
  expect(await problem().count()).toBe(0);

  back.searchParams.set('iss', 'https://evil.example');
  expect(await visit(back)).toBe(notSignedIn);
  await eventually(() => problem().innerText()).toMatch(
    /Another issuer answered than the one that was asked/,
  );
  // The state was of use once.
  back.searchParams.set('iss', issuer);
  expect(await visit(back)).toBe(notSignedIn);

  expect(await visit(await visitIssuer(await agree(), { user: 'grace', isDenied: true }))).toBe(notSignedIn);
  await eventually(() => problem().innerText()).toMatch(/The issuer said no/);
  expect(await accounts()).toHaveLength(1);
});

test('a second account is another identity: its apps have another origin', async () => {
  const ofAda = await appOrigin();
  const back = await visitIssuer(await agree(), { user: 'grace' });
  expect(await visit(back)).toBe(signedIn);
  // The same address again, as from the browser's history.
  expect(await visit(back)).toBe(notSignedIn);
  await question().waitFor({ state: 'hidden' });
  await eventually(accounts).toEqual([
    expect.not.stringContaining('in use'),
    expect.stringMatching(/^grace[^]*in use/),
  ]);
  door.writing.clear();
  await inspector.choose('door', 'get-time');
  await inspector.runApp();
  expect(await appOrigin()).not.toBe(ofAda);
  await region().getByRole('button', { name: 'Use' }).click();
  await eventually(accounts).toEqual([
    expect.stringContaining('in use'),
    expect.not.stringContaining('in use'),
  ]);
  await inspector.choose('door', 'get-time');
  await inspector.runApp();
  expect(await appOrigin()).toBe(ofAda);
});

test('who signs in again as the same person is the same account, and the question ends', async () => {
  await region().getByRole('button', { name: 'Add an account' }).click();
  expect(await visit(await visitIssuer(await agree(), { user: 'ada' }))).toBe(signedIn);
  await question().waitFor({ state: 'hidden' });
  expect(await accounts()).toHaveLength(2);
});

test('a token that was revoked elsewhere is asked for again, and the call goes on', async () => {
  await region().getByRole('button', { name: 'Add an account' }).click();
  const client = new URL(await agree()).searchParams.get('client_id') ?? '';
  await question().getByRole('button', { name: 'Cancel' }).click();
  await inspector.runApp();
  const body = new URLSearchParams({ token: lastToken(), client_id: client });
  expect((await fetch(`${issuer}/token/revocation`, { method: 'POST', body })).status).toBe(200);
  await inspector.stage.run();
  await question().waitFor();
  await eventually(() => question().innerText()).toContain('Your sign-in is over.');
  expect(await visit(await visitIssuer(await agree()))).toBe(signedIn);
  await question().waitFor({ state: 'hidden' });
  await inspector.stage.reaches('ready');
  await eventually(() => inspector.outcome.innerText()).not.toMatch(/^Failed/);
});

/** All files below a folder, as one text. */
const readAll = (path: string): string =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

/** Everything that a page keeps, cookies of its context included. */
const readPage = async (): Promise<string> => {
  const kept = await page.evaluate(async () => {
    const names = (await indexedDB.databases()).map(({ name }) => name);
    return [{ ...localStorage }, { ...sessionStorage }, names, location.href, await caches.keys()];
  });
  const recording = await inspector.stage.recording();
  return JSON.stringify([kept, recording, await page.context().cookies(), await page.content()]);
};

test('C21 C22 no token is in the page, its storage, the recording, a log or a child process', async () => {
  // Started after there were tokens.
  const typed = casement.servers.find(({ name }) => !['door', 'inner', 'redirecting'].includes(name));
  await callApi(casement, 'POST', `/api/servers/${typed?.name}/restart`, {});
  const store = createRecordStore({
    stateDir: join(folders.XDG_STATE_HOME, 'casement'),
    configDir: join(folders.XDG_CONFIG_HOME, 'casement'),
    usesSystemKeys: true,
  });
  await store.load();
  const kept = store.read().accounts.flatMap(({ tokens }) => [tokens.access, tokens.refresh ?? '']);
  expect(kept).toHaveLength(4);
  const secrets = [...door.seen, ...kept];
  expect(secrets.every((secret) => secret.length > 20)).toBe(true);
  const processes = casement.descendants();
  expect(processes.length).toBeGreaterThan(0);
  const api = ['/api/servers', '/api/status', '/api/stored', '/api/entries'];
  const places = {
    page: await readPage(),
    answers: JSON.stringify(await Promise.all(api.map((path) => callApi(casement, 'GET', path)))),
    logs: casement.stdout() + casement.stderr(),
    files: readAll(folder.path),
    children: processes
      .flatMap((pid) => ['environ', 'cmdline'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8')))
      .join('\n'),
  };
  const names = Object.keys(places);
  expect(Object.values(places).map((text) => text.length > 0)).toEqual(names.map(() => true));
  const leaks = Object.entries(places).filter(([, text]) => secrets.some((secret) => text.includes(secret)));
  expect(leaks.map(([place]) => place)).toEqual([]);
});

test('who signs out has no token any more, here and at the issuer', async () => {
  const token = lastToken();
  expect(await isActive(issuer, token)).toBe(true);
  for (const left of [1, 0]) {
    await region().getByRole('button', { name: 'Sign out' }).first().click();
    await eventually(async () => (await accounts()).length).toBe(left);
  }
  await eventually(() => isActive(issuer, token)).toBe(false);
  await eventually(() => region().getByRole('button', { name: 'Sign in' }).count()).toBe(1);
});

test('metadata that leads into this network, and a token endpoint that redirects, are named and not followed', async () => {
  await inspector.choose('inner');
  await eventually(() => region().getByRole('alert').innerText()).toMatch(
    /192\.168\.1\.1.*inside this network/,
  );
  expect(await region().getByRole('button', { name: 'Sign in' }).count()).toBe(0);
  await inspector.choose('redirecting');
  await region().getByRole('button', { name: 'Sign in' }).click();
  // This issuer asks nobody anything.
  expect(await visit(await agree())).toBe(notSignedIn);
  await eventually(() => problem().innerText()).toMatch(/redirects to another address/);
  expect(stolen).toEqual(['/token']);
  await question().getByRole('button', { name: 'Cancel' }).click();
});

test('every step of it is a sentence in the timeline', async () => {
  await inspector.tab('Timeline').click();
  const said = async (): Promise<string> => {
    await inspector.panel.getByRole('searchbox', { name: 'Search timeline' }).fill('door');
    return (await inspector.entries.allInnerTexts()).join('\n');
  };
  await eventually(said).toMatch(/Sign-in to door: signed out and its tokens were revoked/);
  expect(await said()).not.toMatch(/The server door \./);
});

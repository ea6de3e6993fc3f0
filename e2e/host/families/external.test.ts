import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { page, useHostPage } from '../fixture.js';
import { guestOf } from '../support.js';
import { eventually } from '../../support/eventually.js';
import { closeServer } from '../../support/world.js';
import { logged, showFamily, snapshotOf } from './show-family.js';

useHostPage();

const forbidding: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/denied': { 'x-frame-options': 'DENY' },
  '/unframed': { 'content-security-policy': "frame-ancestors 'none'" },
};

/** When a page says its first word, if not at once. */
const speaks: Readonly<Record<string, string>> = {
  '/soon': "addEventListener('load', () => setTimeout(speak, 300));",
  '/late': 'onclick = speak;',
};

let server: Server;
let origin = '';
let asked: (string | undefined)[] = [];

beforeAll(async () => {
  server = createServer((incoming, response) => {
    asked.push(incoming.url);
    const { pathname } = new URL(incoming.url ?? '/', origin);
    const script = speaks[pathname] ?? 'speak();';
    response
      .writeHead(200, { 'content-type': 'text/html', ...forbidding[pathname] })
      .end(
        `<h1>Elsewhere</h1><script>const speak = () => parent.postMessage({ type: 'ui-lifecycle-iframe-ready' }, '*'); ${script}</script>`,
      );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server always reports an AddressInfo.
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => closeServer(server));

/** A result that is a page of the site. */
const showPage = (path: string, meta?: Record<string, unknown>, more: Record<string, unknown> = {}) => {
  asked = [];
  const resource = { uri: 'ui://page/1', mimeType: 'text/uri-list', text: `${origin}${path}`, _meta: meta };
  return showFamily({
    toolMeta: {},
    toolInput: {},
    toolResult: { content: [] },
    hooks: ['onExternalUrl'],
    options: { allowLoopback: true, embedded: { type: 'resource', resource }, ...more },
  });
};
const codes = async () => (await snapshotOf())?.findings.map(({ code }) => code);
const row = () => page.getByText(/may forbid being shown inside other pages/);

test.each(Object.keys(forbidding))(
  'a site that forbids framing (%s) is named, with a way to see it',
  async (path) => {
    await showPage(path);
    await eventually(codes, 15_000).toContain('page-silent');
    expect((await snapshotOf())?.findings).toContainEqual(
      expect.objectContaining({
        code: 'page-silent',
        message: expect.stringContaining('may forbid framing'),
      }),
    );
    await row().waitFor();
    expect(await row().textContent()).toContain(new URL(origin).host);
    // The host itself asked the site for nothing.
    expect(asked).toEqual([path]);
    await page.getByRole('button', { name: 'Open it in a tab' }).click();
    expect(await logged('opened')).toEqual([`${origin}${path}`]);
    await page.getByRole('button', { name: 'Dismiss' }).first().click();
    await row().waitFor({ state: 'hidden' });
  },
);

test('a page that speaks is not named, nor any longer one that speaks late', async () => {
  await showPage('/ready');
  await showPage('/soon');
  await showPage('/late');
  const codesOf = async (index: number) => (await snapshotOf(index))?.findings.map(({ code }) => code);
  const late = () => codesOf(2);
  await eventually(late, 15_000).toContain('page-silent');
  // By now the other two would have been.
  expect(await codesOf(0)).not.toContain('page-silent');
  expect(await codesOf(1)).not.toContain('page-silent');
  const frame = page.frames().find((each) => each.url() === `${origin}/late`);
  await frame?.locator('h1').click();
  await eventually(late).not.toContain('page-silent');
  await row().waitFor({ state: 'hidden' });
});

test('a page with data to begin with is told by its address to wait for it', async () => {
  await showPage('/ready?day=2', { 'mcpui.dev/ui-initial-render-data': { rows: [1] } });
  await eventually(() => asked).toEqual(['/ready?day=2&waitForRenderData=true']);
  await showPage('/ready?day=3');
  await eventually(() => asked).toEqual(['/ready?day=3']);
});

test.each([
  [['600px', '333px'], 333],
  [['100%', 250.5], 251],
  [{ width: 400, height: 222 }, 222],
  [['100%', '5000px'], 700],
  [['1px', '100%'], 400],
  [['1px', '-7px'], 400],
  [['1px', 'calc(1px)'], 400],
  ['333px', 400],
])('a page begins with the size it prefers, within the host’s limits: %j', async (wish, height) => {
  const limits = { maxHeight: 700 };
  await showPage('/ready', { 'mcpui.dev/ui-preferred-frame-size': wish }, { limits });
  const shown = () => page.evaluate(() => document.querySelector('iframe')?.getBoundingClientRect().height);
  await eventually(shown).toBe(height);
});

test('a document begins so too and then has the height of its content', async () => {
  const preferring = (text: string) => ({
    type: 'resource',
    resource: {
      uri: 'ui://inline/1',
      mimeType: 'text/html',
      text,
      _meta: { 'mcpui.dev/ui-preferred-frame-size': ['100%', '333px'] },
    },
  });
  const show = (html: string) =>
    showFamily({ toolMeta: {}, toolResult: { content: [] }, options: { embedded: preferring(html) } });
  await show('<style>html,body{height:100%;margin:0}</style><p>fills</p>');
  await eventually(async () => (await guestOf(page, 0)).evaluate(() => innerHeight)).toBe(333);
  await show('<style>body{margin:0}</style><div style="height:120px">content</div>');
  await eventually(async () => (await snapshotOf(1))?.size?.height).toBe(120);
});

test('whether a page elsewhere is shown is asked in words of its own', async () => {
  const answer = page.evaluate(() =>
    window.hostModule.createConsentDialogs().onExternalUrl({
      url: 'https://xn--pypal-4ve.example/pay',
      origin: 'https://xn--pypal-4ve.example',
      host: 'xn--pypal-4ve.example',
      server: 'families',
      warnings: ['look-alike'],
    }),
  );
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  const words = await dialog.innerText();
  expect(words).toContain('Show this page inside the conversation?');
  expect(words).toContain('xn--pypal-4ve.example');
  expect(words).toContain('families');
  expect(words).toMatch(/look like another name/);
  expect(await dialog.getByRole('checkbox').count()).toBe(0);
  await eventually(async () => {
    await dialog
      .getByRole('button', { name: 'Show it' })
      .click({ timeout: 500 })
      .catch(() => undefined);
    return page.getByRole('dialog').count();
  }).toBe(0);
  expect(await answer).toBe(true);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { McpAppItem } from '@casement/chat';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { eventually } from '../support/eventually.js';
import { toKeepingApp } from './fixtures.js';
import { appReaches, guestOf, received, say, settled, snapshotOf, useChat } from './support.js';
import { toApp } from '../support/guest.js';

const chat = useChat();

const quiet = toApp('globalThis.welcome = (await bridge.initialize()).result;');
const around = (page: Page, id: string) => page.locator(`[data-mcp-app-id="${id}"]`);
const toItem = (more: Partial<McpAppItem> = {}): McpAppItem => ({
  response_type: 'mcp_app',
  mcp_app_id: 'item',
  title: 'Notes',
  ...more,
});
const notifications = async (page: Page, id: string): Promise<unknown[]> =>
  (await guestOf(page, id)).evaluate(() =>
    // The guest's bridge keeps them under this name.
    (globalThis as unknown as { bridge: { received: { method?: string }[] } }).bridge.received.flatMap(
      ({ method }) => (method?.startsWith('ui/notifications/tool') ? [method] : []),
    ),
  );

verifies(
  ['S5-28', 'S5-29', 'S5-31', 'S5-47', 'S5-84'],
  'the app of a call is in the message of the call, inline, introduced, and told the arguments and the result',
  async () => {
    const result = { content: [{ type: 'text' as const, text: 'rain' }] };
    const page = await chat.open({
      servers: [{ name: 'demo', tools: [{ name: 'show', html: quiet, result }] }],
    });
    await say(page, '/show {"city": "Oslo"}');
    await settled(page);
    const id = await page.locator('[data-mcp-app-id]').getAttribute('data-mcp-app-id');
    const app = String(id);
    expect(await around(page, app).getAttribute('data-shown')).toBe('inline');
    expect(await page.locator('li', { has: page.locator(`[data-mcp-app-id="${app}"]`) }).count()).toBe(1);
    expect(await (await guestOf(page, app)).evaluate(() => Reflect.get(globalThis, 'welcome'))).toMatchObject(
      {
        protocolVersion: expect.any(String),
        hostInfo: { name: 'casement' },
        hostCapabilities: {
          openLinks: {},
          message: {},
          updateModelContext: {},
          sampling: {},
          downloadFile: {},
        },
        hostContext: { displayMode: 'inline', toolInfo: { tool: { name: 'show' } } },
      },
    );
    await eventually(() => received(page, app, 'ui/notifications/tool-result')).toEqual([result]);
    expect(await received(page, app, 'ui/notifications/tool-input')).toEqual([
      { arguments: { city: 'Oslo' } },
    ]);
    // StrictMode mounts everything twice; there is one app, one read and one document all the same.
    expect(await page.evaluate(() => window.chat.reads)).toEqual(['ui://demo/show']);
    expect((await snapshotOf(page, app))?.epoch).toBe(1);
    expect(await page.locator('iframe').count()).toBe(1);
    expect(chat.errors).toEqual([]);
  },
);

test('arguments that the model is still writing paint the app before the call is made', async () => {
  const words = Array.from({ length: 30 }, (_, index) => `word${index}`);
  const page = await chat.open({
    servers: [{ name: 'demo', tools: [{ name: 'show', html: quiet, waits: true }] }],
    script: [{ calls: [{ tool: 'show', arguments: { words }, chunk: 6, pace: 40 }] }, { text: 'done' }],
  });
  await say(page, 'go');
  await page.locator('[data-mcp-app-id]').waitFor();
  const app = String(await page.locator('[data-mcp-app-id]').getAttribute('data-mcp-app-id'));
  const partial = () => received(page, app, 'ui/notifications/tool-input-partial');
  await eventually(async () => (await partial()).length).toBeGreaterThan(1);
  expect(await page.evaluate(() => window.chat.calls)).toEqual([]);
  await eventually(() => page.evaluate(() => window.chat.calls.length)).toBe(1);
  await eventually(() => received(page, app, 'ui/notifications/tool-input')).toEqual([
    { arguments: { words } },
  ]);
  await page.evaluate(() => window.chat.release('show'));
  await settled(page);
  await eventually(async () => (await notifications(page, app)).at(-1)).toBe('ui/notifications/tool-result');
  const kinds = await notifications(page, app);
  const input = kinds.indexOf('ui/notifications/tool-input');
  expect(kinds.slice(0, input).every((kind) => kind === 'ui/notifications/tool-input-partial')).toBe(true);
  expect(kinds.slice(input)).toEqual(['ui/notifications/tool-input', 'ui/notifications/tool-result']);
});

test('the frames of an app that was shown before come up while its document is read again', async () => {
  const page = await chat.open({ servers: [{ name: 'demo', tools: [{ name: 'show', html: quiet }] }] });
  const ids = () =>
    page
      .locator('[data-mcp-app-id]')
      .evaluateAll((apps) => apps.map((app) => String(app.getAttribute('data-mcp-app-id'))));
  for (const count of [1, 2]) {
    await say(page, '/show {}');
    await eventually(async () => (await ids()).length).toBe(count);
    await settled(page);
    await appReaches(page, String((await ids()).at(-1)));
  }
  const [first, second] = await ids();
  expect((await snapshotOf(page, String(first)))?.prewarmed).toBe(false);
  expect((await snapshotOf(page, String(second)))?.prewarmed).toBe(true);
  expect(await page.evaluate(() => window.chat.reads)).toEqual(['ui://demo/show', 'ui://demo/show']);
});

test('an app is told when its call is stopped, and when it failed', async () => {
  const page = await chat.open({
    servers: [
      {
        name: 'demo',
        tools: [
          { name: 'slow', html: quiet, waits: true },
          { name: 'broken', html: quiet, fails: 'out of paper' },
        ],
      },
    ],
  });
  await say(page, '/slow {}');
  await page.locator('[data-mcp-app-id]').waitFor();
  const slow = String(await page.locator('[data-mcp-app-id]').getAttribute('data-mcp-app-id'));
  await guestOf(page, slow);
  await eventually(() => page.evaluate(() => window.chat.calls.length)).toBe(1);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await eventually(async () => (await received(page, slow, 'ui/notifications/tool-cancelled')).length).toBe(
    1,
  );
  await say(page, '/broken {}');
  await settled(page);
  const broken = String(await page.locator('[data-mcp-app-id]').last().getAttribute('data-mcp-app-id'));
  await eventually(() => received(page, broken, 'ui/notifications/tool-result')).toEqual([
    expect.objectContaining({ isError: true }),
  ]);
});

verifies(
  ['S5-19', 'S5-88', 'S5-84'],
  'a page can write an app into the conversation itself, with its document or from a server; neither is told of a tool',
  async () => {
    const page = await chat.open({
      servers: [{ name: 'demo', resources: { 'ui://demo/own': quiet } }],
      items: [
        toItem({ mcp_app_id: 'html', resource_html: quiet }),
        toItem({ mcp_app_id: 'served', title: 'Served', server: 'demo', resource_uri: 'ui://demo/own' }),
      ],
    });
    for (const id of ['html', 'served']) {
      const welcome = await (await guestOf(page, id)).evaluate(() => Reflect.get(globalThis, 'welcome'));
      expect(welcome).toMatchObject({ hostContext: { displayMode: 'inline' } });
      expect(welcome).not.toHaveProperty('hostContext.toolInfo');
      expect(await notifications(page, id)).toEqual([]);
    }
    // The document in the item is not asked for.
    expect(await page.evaluate(() => window.chat.reads)).toEqual(['ui://demo/own']);
    await around(page, 'html').getByText('App from this page').waitFor();
    await around(page, 'served').getByText('App from demo').waitFor();
    expect(await page.getByRole('group', { name: 'Served' }).count()).toBe(1);
    // A tool of a server is nothing for an app that has none.
    const answer = await (
      await guestOf(page, 'html')
    ).evaluate(() =>
      (globalThis as unknown as { bridge: { callTool(name: string): Promise<unknown> } }).bridge.callTool(
        'show',
      ),
    );
    expect(answer).toMatchObject({ error: expect.anything() });
  },
);

test('the name of an app for those who do not see it is its label, or else its title', async () => {
  const page = await chat.open({
    items: [
      toItem({ mcp_app_id: 'a', resource_html: quiet, aria_label: 'All my notes' }),
      toItem({ mcp_app_id: 'b', resource_html: quiet }),
    ],
  });
  await appReaches(page, 'b');
  expect(await around(page, 'a').locator('iframe').getAttribute('title')).toBe('All my notes');
  expect(await around(page, 'b').locator('iframe').getAttribute('title')).toBe('Notes');
  expect(await page.getByRole('group', { name: 'All my notes' }).count()).toBe(1);
});

verifies(
  ['S5-08', 'S5-81', 'S5-87'],
  'an app that cannot be shown leaves its words, the reason with its code, and a way to load it again',
  async () => {
    const resource_uri = 'ui://demo/none';
    const page = await chat.open({
      servers: [{ name: 'demo' }],
      items: [
        toItem({ mcp_app_id: 'a', server: 'demo', resource_uri, fallback_text: 'Three notes.' }),
        toItem({ mcp_app_id: 'f', title: 'Full', server: 'demo', resource_uri, display_mode: 'fullscreen' }),
        toItem({ mcp_app_id: 'gone', server: 'elsewhere', resource_uri, fallback_text: 'Nothing here.' }),
      ],
    });
    const failed = around(page, 'a').locator('[data-app-error]');
    await failed.waitFor();
    expect(await failed.getAttribute('data-app-error')).toBe('resource-missing');
    await failed.getByText('Three notes.').waitFor();
    expect(await failed.getByRole('alert').textContent()).toContain('resource-missing');
    const reads = () => page.evaluate(() => window.chat.reads.length);
    const before = await reads();
    await failed.getByRole('button', { name: 'Reload' }).click();
    await eventually(reads).toBe(before + 1);
    // In the panel it is in nobody's way: the message tells, and the focus is back.
    const tile = page.getByRole('button', { name: 'Open Full' });
    await tile.click();
    await around(page, 'f').locator('[data-app-error="resource-missing"]').getByRole('alert').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.evaluate(() => window.chat.shell.getSnapshot().mcpAppPanelState.isOpen)).toBe(false);
    expect(await tile.evaluate((button) => button === document.activeElement)).toBe(true);
    const gone = around(page, 'gone').locator('[data-app-error="server-unknown"]');
    await gone.getByText('Nothing here.').waitFor();
    await gone.getByText('elsewhere is not part of this conversation').waitFor();
  },
);

verifies('S5-81', 'an app that never says it is ready is an inline error after the time it has', async () => {
  const page = await chat.open({
    items: [toItem({ resource_html: toApp(''), fallback_text: 'Silent.' })],
    appOptions: { limits: { handshakeMs: 800 } },
  });
  const failed = around(page, 'item').locator('[data-app-error]');
  await failed.getByText('Silent.').waitFor();
  expect(await failed.getAttribute('data-app-error')).toBe('no-initialize');
});

const writer = toApp(`
  await bridge.initialize();
  globalThis.write = (text) => bridge.request('ui/message', { role: 'user', content: [{ type: 'text', text }] });`);
const write = async (page: Page, text: string): Promise<unknown> =>
  (await guestOf(page, 'item')).evaluate(
    (words) => (globalThis as unknown as { write(text: string): Promise<unknown> }).write(words),
    text,
  );

test('what an app writes is asked about by the host’s dialog, then part of the conversation and answered', async () => {
  const page = await chat.open({ items: [toItem({ resource_html: writer })] });
  const answer = write(page, 'from the app');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('from the app').waitFor();
  // The button is armed only after a moment.
  await dialog.getByRole('button', { name: 'Send' }).click();
  expect(await answer).not.toHaveProperty('error');
  await settled(page);
  const messages = await page.evaluate(() => window.chat.conversation.getSnapshot().messages);
  expect(messages.filter(({ role }) => role === 'user')).toMatchObject([
    { from: { server: 'this page' }, parts: [{ type: 'text', text: 'from the app' }] },
  ]);
  expect(await page.evaluate(() => window.chat.requests.length)).toBe(1);
});

test('an app is told no when the user says so, and when it wrote too often in a row', async () => {
  const no = await chat.open({ items: [toItem({ resource_html: writer })], answers: { message: false } });
  expect(await write(no, 'please')).toMatchObject({ result: { isError: true } });
  expect(await no.evaluate(() => window.chat.requests)).toEqual([]);
  await no.context().close();
  const page = await chat.open({
    items: [toItem({ resource_html: writer })],
    answers: { message: true },
    limits: { maxAppTurns: 1 },
  });
  expect(await write(page, 'first')).not.toHaveProperty('error');
  await settled(page);
  expect(await write(page, 'one too many')).toMatchObject({ result: { isError: true } });
  const texts = await page.evaluate(() => JSON.stringify(window.chat.conversation.getSnapshot().messages));
  expect(texts).toContain('first');
  expect(texts).not.toContain('one too many');
});

test('what an app tells the model goes with the next message', async () => {
  const teller = toApp(`
    await bridge.initialize();
    await bridge.request('ui/update-model-context', { content: [{ type: 'text', text: 'row 7 is chosen' }] });`);
  const page = await chat.open({ items: [toItem({ resource_html: teller })] });
  await eventually(() =>
    page.evaluate(() => window.chat.conversation.getSnapshot().pendingContext.length),
  ).toBe(1);
  await say(page, 'what is chosen?');
  await settled(page);
  expect(JSON.stringify(await page.evaluate(() => window.chat.requests.at(-1)))).toContain('row 7 is chosen');
});

test('an app that wants to go leaves a tile, which opens it anew', async () => {
  const leaver = toApp(`
    await bridge.initialize();
    globalThis.leave = () => bridge.notify('ui/notifications/request-teardown', {});`);
  const page = await chat.open({ items: [toItem({ resource_html: leaver, display_mode: 'pip' })] });
  await page.getByRole('button', { name: 'Open Notes' }).click();
  const first = await guestOf(page, 'item');
  const session = (await snapshotOf(page, 'item'))?.session;
  await first.evaluate(() => (globalThis as unknown as { leave(): void }).leave());
  await around(page, 'item').getByText('This app was closed.').waitFor();
  expect(await around(page, 'item').getAttribute('data-shown')).toBe('tile');
  expect(await page.evaluate(() => window.chat.shell.getSnapshot().workspace.is_open)).toBe(false);
  // It says goodbye out of sight.
  await eventually(() => page.locator('iframe').count()).toBe(0);
  await page.getByRole('button', { name: 'Open Notes' }).click();
  await guestOf(page, 'item');
  expect((await snapshotOf(page, 'item'))?.session).not.toBe(session);
  expect(await around(page, 'item').getAttribute('data-shown')).toBe('pip');
});

test('an app that knows no inline mode is where it says, and closed by Close', async () => {
  const page = await chat.open({ items: [toItem({ resource_html: toKeepingApp(['fullscreen']) })] });
  await appReaches(page, 'item');
  await eventually(() => around(page, 'item').getAttribute('data-shown')).toBe('fullscreen');
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
  await around(page, 'item').getByText('This app was closed.').waitFor();
  await eventually(() => page.locator('iframe').count()).toBe(0);
});

test('leaving the page’s chat ends every app, and nothing of them stays', async () => {
  const page = await chat.open({ items: [toItem({ resource_html: quiet })] });
  await appReaches(page, 'item');
  await page.evaluate(() => window.chat.unmount());
  await eventually(() => page.locator('iframe').count()).toBe(0);
  expect(await page.evaluate(() => window.chat.conversation.getSnapshot().pendingContext)).toEqual([]);
  expect(chat.errors).toEqual([]);
});

verifies('S5-32', 'the chat speaks to apps through the host alone: no code of it posts a message', () => {
  const folder = fileURLToPath(new URL('../../packages/react/dist/chat', import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.js'),
  );
  expect(files.length).toBeGreaterThan(20);
  const posting = files.filter((file) => readFileSync(join(folder, file), 'utf8').includes('postMessage'));
  expect(posting).toEqual([]);
});

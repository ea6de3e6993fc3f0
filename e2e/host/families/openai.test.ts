import { describe, expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.js';
import { page, useHostPage } from '../fixture.js';
import { guestOf, modeOf, reaches, recorded } from '../support.js';
import { eventually } from '../../support/eventually.js';
import { inApp, logged, showFamily, snapshotOf } from './show-family.js';

useHostPage();

/** A widget as the Apps SDK's examples are: it reads what it shows when its script runs. */
const widget = `<!doctype html><div id="root"></div><script>
  window.first = { input: openai.toolInput, output: openai.toolOutput, meta: openai.toolResponseMetadata, state: openai.widgetState, theme: openai.theme, view: openai.view };
  window.changes = [];
  addEventListener('openai:set_globals', (event) => changes.push(event.detail.globals));
  window.responses = [];
  addEventListener('openai:tool_response', (event) => responses.push(event.detail.tool));
  root.textContent = 'Pizzas: ' + JSON.stringify(openai.toolOutput);
</script>`;

const called = {
  html: widget,
  toolInput: { topping: 'olives' },
  toolResult: {
    content: [{ type: 'text' as const, text: 'two' }],
    structuredContent: { pizzas: 2 },
    _meta: { secret: 's' },
  },
};

/** Runs a script of the widget and gives what it returned or the message it failed with. */
const attempt = (script: string, index = 0): Promise<unknown> =>
  inApp(`try { return await (${script}); } catch (error) { return 'Refused: ' + error.message; }`, index);

verifies(
  ['S1-03', 'S1-128'],
  'a tool with openai/outputTemplate shows its widget, which finds its data when its script runs',
  async () => {
    await showFamily(called);
    expect(await inApp('return window.first')).toEqual({
      input: { topping: 'olives' },
      output: { pizzas: 2 },
      meta: { secret: 's' },
      state: null,
      theme: 'light',
      view: { mode: 'inline' },
    });
    expect(await inApp('return root.textContent')).toBe('Pizzas: {"pizzas":2}');
    expect(await logged('readResource')).toEqual(['ui://family/app']);
    const snapshot = await snapshotOf();
    expect(snapshot).toMatchObject({
      appInfo: { name: 'openai-apps-sdk' },
      resource: { family: 'openai' },
      policy: { effective: { family: 'openai' } },
    });
    expect(snapshot?.findings.map(({ code, fix }) => [code, fix])).toEqual([
      ['spelling-openai', 'Set _meta.ui.resourceUri.'],
      ['legacy-mime', "Use today's type: text/html;profile=mcp-app."],
    ]);
  },
);

test('its CSP, domain and border are those of openai/widget…, under the same policy', async () => {
  await showFamily({
    ...called,
    resourceMeta: {
      'openai/widgetCSP': {
        connect_domains: ['https://api.example.com'],
        resource_domains: ['https://cdn.example.com'],
        redirect_domains: ['https://shop.example.com'],
      },
      'openai/widgetDomain': 'https://pizza.example',
      'openai/widgetPrefersBorder': true,
    },
  });
  const snapshot = await snapshotOf();
  expect(snapshot?.policy?.effective).toMatchObject({
    connect: ['https://api.example.com'],
    assets: ['https://cdn.example.com'],
    domain: 'https://pizza.example',
  });
  expect(snapshot?.resource).toMatchObject({ prefersBorder: true });
  expect(snapshot?.findings.map(({ code }) => code)).not.toContain('metadata-unknown-key');
});

test('a script it loads from elsewhere without having declared it is named, with the key to declare it by', async () => {
  await showFamily({ ...called, html: `${widget}<script src="https://cdn.example.com/widget.js"></script>` });
  const find = async () => (await snapshotOf())?.findings.find(({ code }) => code === 'asset-blocked');
  await eventually(find).toMatchObject({
    message: expect.stringContaining('https://cdn.example.com/widget.js (script-src-elem)'),
    fix: expect.stringContaining('_meta["openai/widgetCSP"].resource_domains'),
  });
});

test('callTool reaches the server for tools that say widgets may, and no other', async () => {
  const inputSchema = { type: 'object' as const };
  await showFamily({
    ...called,
    tools: [
      { name: 'order', inputSchema, _meta: { 'openai/widgetAccessible': true } },
      { name: 'silent', inputSchema },
    ],
  });
  expect(await attempt(`openai.callTool('order', { count: 1 })`)).toMatchObject({
    structuredContent: { name: 'order', args: { count: 1 } },
  });
  expect(await inApp('return window.responses')).toEqual([{ name: 'order', args: { count: 1 } }]);
  expect(await attempt(`openai.callTool('silent', {})`)).toMatch(/^Refused: .*not visible/);
  expect(await attempt(`openai.callTool('show', {})`)).toMatch(/^Refused: .*not visible/);
  expect(await logged('callTool')).toEqual([{ name: 'order', args: { count: 1 } }]);
});

test.each([true, false])('follow-up messages and links are the user’s to decide: %s', async (says) => {
  await showFamily({ ...called, hooks: ['onMessage', 'onOpenLink'], says });
  const outcome = await attempt(`openai.sendFollowUpMessage({ prompt: 'Two more' }).then(() => 'sent')`);
  expect(outcome).toBe(says ? 'sent' : 'Refused: The user declined.');
  expect(await logged('onMessage')).toMatchObject([{ content: [{ type: 'text', text: 'Two more' }] }]);
  await inApp(`openai.openExternal({ href: 'https://pizza.example/menu' })`);
  await eventually(() => logged('onOpenLink')).toMatchObject([{ url: 'https://pizza.example/menu' }]);
  await inApp(`openai.openExternal({ href: 'javascript:alert(1)' })`);
  await eventually(async () => (await snapshotOf())?.findings.map(({ code }) => code)).toContain(
    'link-refused',
  );
  expect(await logged('opened')).toEqual(says ? ['https://pizza.example/menu'] : []);
});

describe('widget state', () => {
  verifies(
    ['S1-09', 'S1-120'],
    'is kept by the host, is there after a reload and in another life, and its model part reaches the model',
    async () => {
      await showFamily({ ...called, hooks: ['onWidgetState', 'onModelContext'] });
      const state = { modelContent: { chosen: 'olives' }, privateContent: { scroll: 12 } };
      expect(
        await attempt(`openai.setWidgetState(${JSON.stringify(state)}).then(() => openai.widgetState)`),
      ).toEqual(state);
      expect(await logged('onWidgetState')).toEqual([state]);
      expect(await logged('onModelContext')).toEqual([{ structuredContent: { chosen: 'olives' } }]);
      expect((await snapshotOf())?.modelContext).toEqual({ structuredContent: { chosen: 'olives' } });
      await page.evaluate(() => window.hostApps[0]?.app.reload());
      await eventually(async () => (await snapshotOf())?.epoch).toBe(2);
      await reaches(page, 'ready');
      await eventually(() => inApp('return window.first?.state')).toEqual(state);
      const next = await showFamily({ ...called, options: { widgetState: { privateContent: 5 } } });
      expect(await inApp('return window.first.state', next)).toEqual({ privateContent: 5 });
    },
  );

  test('of 300 KB or 5 MB is refused, and the host and the widget go on', async () => {
    await showFamily({ ...called, hooks: ['onWidgetState'] });
    expect(await attempt(`openai.setWidgetState('x'.repeat(300_000))`)).toMatch(/^Refused: .*at most 262144/);
    await inApp(`void openai.setWidgetState('x'.repeat(5_000_000)).catch(() => undefined)`);
    await eventually(async () => (await snapshotOf())?.dropped).toBeGreaterThan(0);
    expect(await attempt(`openai.setWidgetState({ small: 1 }).then(() => 'kept')`)).toBe('kept');
    expect(await logged('onWidgetState')).toEqual([{ small: 1 }]);
    expect((await snapshotOf())?.status).toBe('ready');
    expect((await snapshotOf())?.findings.map(({ code }) => code)).toContain('widget-state-refused');
  });
});

verifies(
  'S1-121',
  'a dialog is the embedder’s to show, with the widget in it as a view of its own',
  async () => {
    await showFamily({ ...called, hooks: ['onModal'] });
    expect(
      await attempt(`openai.requestModal({ title: 'Details', params: { id: 3 } }).then(() => 'asked')`),
    ).toBe('asked');
    expect(await logged('onModal')).toMatchObject([
      { title: 'Details', params: { id: 3 }, resourceUri: 'ui://family/app', app: { server: 'families' } },
    ]);
    expect(await attempt(`openai.requestModal({ template: 'https://evil.example/' })`)).toMatch(
      /^Refused: .*not a ui:\/\//,
    );
    const dialog = await showFamily({
      ...called,
      options: { widgetView: { mode: 'modal', params: { id: 3 } } },
    });
    expect(await inApp('return window.first.view', dialog)).toEqual({ mode: 'modal', params: { id: 3 } });
  },
);

test('sec-W6 a widget opens no dialog by itself; after a click it does, under the name of its server', async () => {
  const title = 'Casement: your session has expired, sign in again';
  const html = `<!doctype html><button>More</button><script>
    const ask = () => openai.requestModal({ title: '${title}' }).then(() => 'shown', (error) => error.message)
      .then((outcome) => (document.title = outcome));
    document.querySelector('button').onclick = ask;
    ask();
  </script>`;
  await page.click('#field');
  await showFamily({ ...called, html, dialogs: true });
  await eventually(() => recorded(page, 'decision')).toContainEqual(
    expect.objectContaining({ method: 'casement/modal', allow: false, code: 'display-mode-refused' }),
  );
  expect(await page.locator('dialog').count()).toBe(0);
  await (await guestOf(page)).getByRole('button', { name: 'More' }).click();
  const heading = page.getByRole('dialog').getByRole('heading');
  await eventually(() => heading.textContent()).toBe(`App from families, titled “${title}”`);
  expect(await heading.locator('.dialog-own-title').textContent()).toBe(`titled “${title}”`);
});

describe('a state set in a dialog', () => {
  const inDialog = (script: string): Promise<unknown> =>
    page
      .frameLocator('dialog iframe')
      .frameLocator('iframe')
      .locator('html')
      .evaluate(`(async () => { ${script} })()`);
  const openDialog = async (wish: object): Promise<void> => {
    await showFamily({ ...called, hooks: ['onWidgetState', 'onModelContext'], dialogs: true });
    await inApp('await openai.setWidgetState({ picked: 1 })');
    expect(await attempt(`openai.requestModal(${JSON.stringify(wish)}).then(() => 'shown')`)).toBe('shown');
  };

  test('is the widget’s own from then on: told to it, to the embedder and to the model, and kept', async () => {
    await openDialog({});
    expect(await inDialog('return openai.widgetState')).toEqual({ picked: 1 });
    await inDialog('await openai.setWidgetState({ picked: 2 })');
    await eventually(() => inApp('return [openai.widgetState, window.changes.at(-1)]')).toEqual([
      { picked: 2 },
      { widgetState: { picked: 2 } },
    ]);
    expect(await logged('onWidgetState')).toEqual([{ picked: 1 }, { picked: 2 }]);
    await eventually(() => logged('onModelContext')).toEqual([
      { structuredContent: { picked: 1 } },
      { structuredContent: { picked: 2 } },
    ]);
    await page.keyboard.press('Escape');
    await eventually(() => page.locator('dialog').count()).toBe(0);
    await page.evaluate(() => window.hostApps[0]?.app.reload());
    await eventually(async () => (await snapshotOf())?.epoch).toBe(2);
    await reaches(page, 'ready');
    await eventually(() => inApp('return window.first?.state')).toEqual({ picked: 2 });
  });

  test('by another document of the server is not', async () => {
    await openDialog({ template: 'ui://family/other' });
    expect(await inDialog('return openai.widgetState')).toBe(null);
    await inDialog('await openai.setWidgetState({ picked: 3 })');
    expect(await inApp('return openai.widgetState')).toEqual({ picked: 1 });
    expect(await logged('onWidgetState')).toEqual([{ picked: 1 }]);
  });
});

test('display modes, height and closing', async () => {
  await showFamily({ ...called, options: { displayModes: ['inline', 'fullscreen', 'pip'] } });
  await inApp('openai.notifyIntrinsicHeight(333)');
  await eventually(async () => (await snapshotOf())?.size?.height).toBe(333);
  expect(await attempt(`openai.requestDisplayMode({ mode: 'pip' })`)).toEqual({ mode: 'pip' });
  expect(await modeOf(page)).toBe('pip');
  await eventually(() => inApp('return openai.displayMode')).toBe('pip');
  expect(await inApp('return window.changes.some((change) => change.displayMode === "pip")')).toBe(true);
  await page.evaluate(() => window.hostApps[0]?.app.sendHostContextChanged({ theme: 'dark' }));
  await eventually(() => inApp('return openai.theme')).toBe('dark');
  await inApp('void openai.requestClose()');
  await reaches(page, 'closed');
});

test('what the embedder does not offer is undefined, and so is what this host never has', async () => {
  await showFamily(called);
  const typesOf = (index: number) =>
    inApp(
      `return Object.fromEntries(['callTool','setWidgetState','notifyIntrinsicHeight','requestClose','sendFollowUpMessage','openExternal','requestModal','requestDisplayMode','uploadFile','selectFiles','getFileDownloadUrl','requestCheckout','setOpenInAppUrl'].map((name) => [name, typeof openai[name]]))`,
      index,
    );
  const always = {
    callTool: 'function',
    setWidgetState: 'function',
    notifyIntrinsicHeight: 'function',
    requestClose: 'function',
  };
  const never = Object.fromEntries(
    ['uploadFile', 'selectFiles', 'getFileDownloadUrl', 'requestCheckout', 'setOpenInAppUrl'].map((name) => [
      name,
      'undefined',
    ]),
  );
  const offers = ['sendFollowUpMessage', 'openExternal', 'requestModal', 'requestDisplayMode'];
  const toTypes = (type: string) => Object.fromEntries(offers.map((name) => [name, type]));
  expect(await typesOf(0)).toEqual({ ...always, ...never, ...toTypes('undefined') });
  const full = await showFamily({
    ...called,
    hooks: ['onMessage', 'onOpenLink', 'onModal'],
    options: { displayModes: ['inline', 'fullscreen'] },
  });
  expect(await typesOf(full)).toEqual({ ...always, ...never, ...toTypes('function') });
});

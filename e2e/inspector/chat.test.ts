import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { toMessages } from '../support/recorded.js';
import { fixtureServer } from '../support/server-commands.js';
import { openChat, runUnasked, toChatView, withParameters, type ChatView } from './chat-support.js';
import { servers } from './servers.js';
import { openInspector } from './support.js';
import { browser, casement, useCasement } from '../support/use-casement.js';

useCasement({ react: servers.react, debug: servers.debug, fixture: fixtureServer() });

const query = ({ page }: ChatView) => Object.fromEntries(new URL(page.url()).searchParams);
const stateOf = (view: ChatView, name: string) => view.panel.locator('dt', { hasText: name }).locator('+ dd');

test('a server that ended is started again from the conversation, and its tools are back', async () => {
  const view = await openChat(browser, casement.url);
  await view.say('/both {"n": 1}');
  await view.say('/crashes {}');
  const problems = view.chat.locator('.casement-problems li');
  await eventually(() => problems.count()).toBe(1);
  expect(await view.chat.locator('.casement-tool').last().getAttribute('data-code')).toBe('server-exited');
  await problems.getByRole('button', { name: 'Restart fixture' }).click();
  await eventually(() => problems.count()).toBe(0);
  await view.say('/both {"n": 2}');
  await eventually(() => view.chat.locator('.casement-tool').last().getAttribute('data-state')).toBe(
    'output-available',
  );
  await view.close();
});

describe('the view', () => {
  test('is in the address, and its code is loaded with it alone', async () => {
    const inspector = await openInspector(browser, casement.url);
    const loaded: string[] = [];
    inspector.page.on('response', (response) => loaded.push(new URL(response.url()).pathname));
    const view = toChatView(inspector);
    const names = await view.page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name),
    );
    expect(names.filter((name) => /chat|model-view/.test(name))).toEqual([]);
    await view.showView('Chat');
    await view.composer.waitFor();
    expect(loaded.filter((path) => path.includes('chat-pane'))).not.toEqual([]);
    await eventually(() => query(view).view).toBe('chat');
    await expect.poll(() => view.page.title()).toBe('Chat · Casement');
    await view.page.reload();
    await view.composer.waitFor();
    await view.showView('Workbench');
    await view.call.waitFor();
    await eventually(() => query(view).view).toBeUndefined();
    await view.close();
  });

  test('both go on while the other is shown: same frames, same sessions', async () => {
    const link = { server: 'debug', tool: 'debug-tool', args: {}, run: true };
    const view = toChatView(await openInspector(browser, casement.url, link));
    await view.stage.reaches('ready');
    const onStage = await view.stage.app();
    const mark = { stage: 'kept', chat: 'kept too' };
    await onStage.evaluate((text) => (document.body.dataset.mark = text), mark.stage);
    const { session, epoch } = (await view.stage.snapshot()) ?? {};
    await view.showView('Chat');
    await runUnasked(view);
    await view.say('/get-time');
    const { frame, place } = await view.app(0);
    await frame.evaluate((text) => (document.body.dataset.mark = text), mark.chat);
    const widthOf = () => place.locator('iframe').evaluate((one) => one.getBoundingClientRect().width);
    const width = await widthOf();
    await view.showView('Workbench');
    await view.call.waitFor();
    expect(await view.chat.isVisible()).toBe(false);
    expect(await onStage.evaluate(() => document.body.dataset.mark)).toBe(mark.stage);
    expect(await view.stage.snapshot()).toMatchObject({ session, epoch });
    // Out of sight, and still as wide: the app is told of nothing.
    expect(width).toBeGreaterThan(300);
    expect(await widthOf()).toBe(width);
    await view.showView('Chat');
    expect(await frame.evaluate(() => document.body.dataset.mark)).toBe(mark.chat);
    expect(await view.call.isVisible()).toBe(false);
    await view.close();
  });

  test('a link to the chat runs nothing on the stage', async () => {
    const url = withParameters(casement.url, {
      view: 'chat',
      server: 'debug',
      tool: 'debug-tool',
      run: '1',
    });
    const view = await openChat(browser, url);
    await view.say('hello');
    expect(await view.stage.status()).toBe('idle');
    expect(await view.stage.count('server', 'out', 'tools/call')).toBe(0);
    await view.close();
  });
});

describe('a conversation over the servers of the page', () => {
  let view: ChatView;
  beforeAll(async () => {
    view = await openChat(browser, casement.url);
  });
  afterAll(() => view?.close());

  test('needs no key: the scripted model calls a tool and its app is shown', async () => {
    expect(await view.bar.getByRole('combobox', { name: 'Model', exact: true }).inputValue()).toBe('');
    await view.say('/get-time');
    const { frame } = await view.app(0);
    await frame.getByRole('button', { name: 'Get Server Time' }).waitFor();
    expect(await view.messages.last().innerText()).toContain('get-time came back with');
  });

  test('the tabs are about the app of the chat', async () => {
    await view.openTab('State');
    await eventually(() => stateOf(view, 'Status').innerText()).toBe('ready');
    expect(await view.section('App').innerText()).toContain('Get Time App');
    await view.openTab('Security');
    await view.section('Content-Security-Policy in force').waitFor();
    await view.openTab('Timeline');
    const said = toMessages(await view.stage.recording());
    expect(said).toContainEqual(
      expect.objectContaining({ leg: 'app', dir: 'out', method: 'ui/notifications/tool-result' }),
    );
  });

  test('the newest app is shown until another is chosen, by name or by going into it', async () => {
    await view.say('/app-tools');
    const second = await view.app(1);
    await view.openTab('State');
    await eventually(() => view.section('App').innerText()).toContain('Guest with tools of its own');
    const options = await view.appChoice.getByRole('option').allInnerTexts();
    expect(options).toHaveLength(3);
    expect(options[1]).toContain('of react');
    await view.appChoice.selectOption({ index: 1 });
    await eventually(() => view.section('App').innerText()).toContain('Get Time App');
    await second.place.scrollIntoViewIfNeeded();
    await second.frame.getByRole('button', { name: 'Offer another tool' }).click();
    await eventually(() => view.section('App').innerText()).toContain('Guest with tools of its own');
  });

  test('the timeline can be held to one app', async () => {
    const session = await stateOf(view, 'Session').innerText();
    await view.button('Only its entries').click();
    await eventually(() => query(view).filter).toBe(session);
    await view.entries.getByRole('option').first().waitFor();
    const shown = await view.entries.getByRole('option').allInnerTexts();
    expect(shown.join('\n')).toContain('ui/initialize');
    await view.button('Only its entries').click();
    await eventually(() => query(view).filter).toBeUndefined();
  });

  test('a theme is told to the running apps', async () => {
    const { frame } = await view.app(0);
    await frame.evaluate(() => (document.body.dataset.mark = 'kept'));
    const theme = view.bar.getByRole('combobox', { name: 'Theme', exact: true });
    await view.openTab('State');
    await view.appChoice.selectOption({ index: 1 });
    const told = () =>
      view.section('Host context sent').locator('dt', { hasText: 'theme' }).locator('+ dd').innerText();
    await theme.selectOption('dark');
    await eventually(told).toBe('dark');
    await theme.selectOption('light');
    await eventually(told).toBe('light');
    expect(await frame.evaluate(() => document.body.dataset.mark)).toBe('kept');
    expect(await stateOf(view, 'Epoch').innerText()).toBe('1');
  });

  test('a tool chosen on the left is written into the composer, under its name for the model', async () => {
    await view.choose('debug', 'debug-tool');
    await eventually(() => view.composer.inputValue()).toMatch(/^\/debug-tool( \{.*\})?$/);
    await view.composer.fill('half-written');
  });

  test('a new conversation ends the apps of the one before and begins empty', async () => {
    const before = await view.stage.count('app', 'out', 'ui/resource-teardown');
    await view.button('New conversation').click();
    await eventually(() => view.messages.count()).toBe(0);
    await eventually(() => view.stage.count('app', 'out', 'ui/resource-teardown')).toBe(before + 2);
    await eventually(() => view.appChoice.count()).toBe(0);
    expect(await view.composer.inputValue()).toBe('');
    await view.say('/get-time');
    await view.app(0);
    await eventually(() => stateOf(view, 'Status').innerText()).toBe('ready');
  });
});

test('a message of an app is asked about by the page, attributed, and starts a turn', async () => {
  const view = await openChat(browser, casement.url);
  await view.say('/debug-tool');
  const { frame } = await view.app(0);
  await frame.locator('#send-message-text-btn').evaluate((button: HTMLElement) => button.click());
  const dialog = view.page.getByRole('dialog');
  await dialog.getByText('Send this message as yours?').waitFor();
  const users = view.chat.locator('li[data-role="user"]');
  expect(await users.count()).toBe(1);
  await dialog.getByRole('checkbox', { name: /^Always/ }).check();
  await dialog.locator('button[aria-disabled="false"]', { hasText: 'Send' }).click();
  await eventually(() => users.count()).toBe(2);
  expect(await users.last().getAttribute('data-written-by')).toBe('app');
  expect(await users.last().innerText()).toContain('debug');
  await view.settled();
  expect(await view.messages.last().getAttribute('data-role')).toBe('assistant');
  await view.openTab('Security');
  await view.section('Remembered choices (1)').waitFor();
  await frame.locator('#send-message-text-btn').evaluate((button: HTMLElement) => button.click());
  await eventually(() => users.count()).toBe(3);
  expect(await dialog.count()).toBe(0);
  await view.close();
});

test('what was settled about a tool outlives the page, is listed, and is asked again when taken back', async () => {
  const view = await openChat(browser, casement.url, { tab: 'security' }, {}, { asks: true });
  const call = async (): Promise<void> => {
    await view.say('/app-tools');
    await view.app(0);
    // The app's tools are on offer from the moment it listed them.
    await view.chat.getByRole('button', { name: /^\d+ tools$/ }).waitFor();
    await view.openTab('Model');
    const name = await view
      .section(/^Tools on offer/)
      .locator('code', { hasText: 'set-square' })
      .innerText();
    await view.openTab('Security');
    await view.composer.fill(`/${name} {"mark":"X"}`);
    await view.chat.getByRole('button', { name: 'Send', exact: true }).click();
  };
  const square = async (): Promise<string> => (await view.app(0)).frame.locator('#square').innerText();
  const always = view.chat.locator('button:not([aria-disabled="true"])', { hasText: 'Always allow' });
  await call();
  await always.click();
  await eventually(square).toBe('X');
  const remembered = view.section('Remembered choices (1)');
  expect(await remembered.innerText()).toMatch(/The model may call .* of fixture without asking/);

  await view.page.reload();
  await view.composer.waitFor();
  await remembered.waitFor();
  await call();
  await eventually(square).toBe('X');

  await remembered.getByRole('button', { name: /^Take back: the model may call/ }).click();
  await view.section('Remembered choices (0)').waitFor();
  await view.button('New conversation').click();
  await call();
  await always.waitFor();
  expect(await square()).toBe('empty');
  await view.close();
});

test('in a narrow window the chat is one part of three', async () => {
  const view = await openChat(browser, casement.url, {}, { width: 390, height: 844 });
  await view.say('/get-time');
  const { place } = await view.app(0);
  const widthOf = () => place.locator('iframe').evaluate((one) => one.getBoundingClientRect().width);
  const width = await widthOf();
  expect(width).toBeGreaterThan(300);
  await view.button('Inspect').click();
  expect(await view.composer.isVisible()).toBe(false);
  await view.openTab('State');
  await eventually(() => stateOf(view, 'Status').innerText()).toBe('ready');
  expect(await widthOf()).toBe(width);
  await view.button('Chat').first().click();
  await view.composer.waitFor();
  const overflow = await view.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBe(0);
  await view.close();
});

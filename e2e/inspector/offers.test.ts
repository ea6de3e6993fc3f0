import { styleVariableNames } from '@casement/protocol/start';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { says, startModelServer, type ModelServer } from '../chat/example/model-server.js';
import { closeContexts, openBrowser } from '../support/browser.js';
import { startCasement, type RunningCasement } from '../support/casement.js';
import { createTempFolder, writeConfig } from '../support/config-file.js';
import { eventually } from '../support/eventually.js';
import { fixtureServer } from '../support/server-commands.js';
import { openChat } from './chat-support.js';
import { openInspector, type InspectorPage } from './support.js';

const folder = createTempFolder();
let browser: Browser;
let model: ModelServer;
let casement: RunningCasement;

beforeAll(async () => {
  const config = writeConfig(folder.path, { fixture: fixtureServer() });
  [browser, model] = await Promise.all([openBrowser(), startModelServer()]);
  casement = await startCasement([
    '--config',
    config,
    '--trust-config',
    '--model-url',
    model.url,
    '--model',
    'tiny',
  ]);
});

afterAll(async () => {
  await closeContexts();
  await casement?.stop();
  await model?.close();
  folder.remove();
});

interface Guest {
  bridge: { request(method: string, params: object): Promise<unknown> };
}

const openApp = async (): Promise<InspectorPage> => {
  const inspector = await openInspector(browser, casement.url);
  await inspector.choose('fixture', 'well-behaved');
  await inspector.runApp();
  return inspector;
};

test('an app of the workbench is told all 76 style variables and the id of its call, another for each call', async () => {
  const inspector = await openApp();
  const first = (await inspector.stage.snapshot())?.hostContext;
  expect(Object.keys(first?.styles?.variables ?? {}).sort()).toEqual([...styleVariableNames].sort());
  expect(first?.toolInfo?.id).toMatch(/^call-/);
  await inspector.runApp();
  const { id } = (await inspector.stage.snapshot())?.hostContext.toolInfo ?? {};
  expect(id).toMatch(/^call-/);
  expect(id).not.toBe(first?.toolInfo?.id);
  await inspector.close();
});

test('the workbench says that no model reads what an app sends, and can withhold it', async () => {
  const inspector = await openApp();
  const { page, stage, toolbar } = inspector;
  await (
    await stage.app()
  ).evaluate(() => {
    // The guest's own script put it there.
    void (globalThis as unknown as Guest).bridge.request('ui/message', {
      role: 'user',
      content: [{ type: 'text', text: 'Hello' }],
    });
  });
  const dialog = page.getByRole('dialog', { name: 'Send this message as yours?' });
  await dialog.getByText('No model reads it here; open Chat to have it answered.').waitFor();
  await page.keyboard.press('Escape');
  await eventually(() => dialog.count()).toBe(0);
  await inspector.tab('State').click();
  await inspector.section('Model context').getByText('No model reads this here; open Chat').waitFor();

  const offered = async () => Object.keys((await stage.snapshot())?.hostCapabilities ?? {});
  expect(await offered()).toEqual(expect.arrayContaining(['message', 'updateModelContext']));
  const before = (await stage.snapshot())?.session;
  await toolbar.getByRole('combobox', { name: 'Messages', exact: true }).selectOption('withheld');
  await eventually(async () => (await stage.snapshot())?.session).not.toBe(before);
  await stage.reaches('ready');
  await eventually(offered).not.toContain('message');
  expect(await offered()).not.toContain('updateModelContext');
  // The address is written a moment later.
  await eventually(async () => new URL(page.url()).searchParams.get('messages')).toBe('withheld');
  const answer = await (
    await stage.app()
  ).evaluate(() =>
    (globalThis as unknown as Guest).bridge.request('ui/message', {
      role: 'user',
      content: [{ type: 'text', text: 'Hello' }],
    }),
  );
  expect(answer).toMatchObject({ error: { code: -32601 } });
  await toolbar.getByRole('combobox', { name: 'Messages', exact: true }).selectOption('offered');
  await eventually(offered).toContain('message');
  await inspector.close();
});

test('a model named on the command line answers first; an app of the chat knows the id of its call', async () => {
  const view = await openChat(browser, casement.url);
  const choice = view.bar.getByRole('combobox', { name: 'Model', exact: true });
  await eventually(() => choice.inputValue()).toBe('local');
  expect(new URL(view.page.url()).searchParams.get('model')).toBeNull();
  model.play(says('I am tiny.'));
  await view.say('Who are you?');
  await view.chat.getByText('I am tiny.', { exact: true }).waitFor();
  await choice.selectOption('');
  await eventually(() => Promise.resolve(new URL(view.page.url()).searchParams.get('model'))).toBe(
    'scripted',
  );
  await view.say('/well-behaved {}');
  const { frame } = await view.app(0);
  const id = await view.chat.locator('[data-tool-call]').last().getAttribute('data-tool-call');
  expect(id).toBeTruthy();
  const told = await frame.evaluate(
    () =>
      (
        globalThis as unknown as {
          bridge: { received: { result?: { hostContext?: { toolInfo?: { id?: string } } } }[] };
        }
      ).bridge.received.find(({ result }) => result?.hostContext)?.result?.hostContext?.toolInfo?.id,
  );
  expect(told).toBe(id);
  await view.close();
});

test('the next app is there while the last one still says goodbye; Stop ends that at once', async () => {
  const inspector = await openInspector(browser, casement.url);
  const { stage, page } = inspector;
  await inspector.choose('fixture', 'deaf');
  await inspector.runApp();
  await inspector.choose('fixture', 'well-behaved');
  await inspector.runApp();
  // The deaf one has five seconds; the other is ready long before.
  const skips = async () =>
    (await stage.recording()).filter(({ raw }) => Object(raw)['type'] === 'removed').length;
  expect([await page.locator('iframe:not([aria-hidden])').count(), await skips()]).toEqual([2, 0]);
  await eventually(skips).toBe(1);
  expect(await stage.status()).toBe('ready');

  await inspector.choose('fixture', 'deaf');
  await inspector.runApp();
  await inspector.button('Close app').click();
  await page.getByText('The app is being closed: it has a few seconds to save.').waitFor();
  await inspector.button('Stop app').click();
  await stage.reaches('closed');
  expect((await stage.recording()).some(({ raw }) => Object(raw)['cause'] === 'stopped')).toBe(true);
  await inspector.close();
});

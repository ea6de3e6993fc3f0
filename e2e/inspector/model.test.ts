import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { startModelServer, type ModelServer } from '../chat/example/model-server.js';
import { closeContexts, openBrowser } from '../support/browser.js';
import { startCasement, type RunningCasement } from '../support/casement.js';
import { createTempFolder, writeConfig } from '../support/config-file.js';
import { eventually } from '../support/eventually.js';
import { fixtureServer } from '../support/server-commands.js';
import { openChat, toChatView, type ChatView } from './chat-support.js';
import { servers } from './servers.js';
import { openInspector } from './support.js';

const folder = createTempFolder();
let browser: Browser;
let model: ModelServer;
let casement: RunningCasement;

beforeAll(async () => {
  const [command = '', ...args] = fixtureServer();
  const [, ...others] = fixtureServer({ name: 'second' });
  const { react } = servers;
  const config = writeConfig(folder.path, {
    react,
    fixture: { command, args },
    second: { command, args: others },
  });
  [browser, model] = await Promise.all([openBrowser(), startModelServer()]);
  const models = ['--model-url', model.url, '--model', 'tiny'];
  casement = await startCasement(['--config', config, '--trust-config', ...models]);
});

afterAll(async () => {
  await closeContexts();
  await casement?.stop();
  await model?.close();
  folder.remove();
});

/** The whole request as the tab shows it. */
const readRequest = async (view: ChatView): Promise<unknown> => {
  const shown = view.panel.getByRole('group', { name: 'Request', exact: true });
  if ((await shown.count()) === 0) await view.panel.getByText('Everything sent').click();
  await shown.waitFor();
  // A long text is cut at first.
  const all = view.panel.getByRole('button', { name: 'Show all', exact: true });
  if ((await all.count()) > 0) await all.click();
  return JSON.parse(await shown.innerText());
};
/** The two servers with the same tools have more than are shown at first. */
const showAllTools = (view: ChatView): Promise<void> =>
  view.panel.getByRole('button', { name: /^Show all \d+$/ }).click();
const toolOf = (view: ChatView, name: string | RegExp) =>
  view.section(/^Tools on offer/).locator('li', { has: view.page.locator('h4 code', { hasText: name }) });

describe('the Model tab of the chat', () => {
  let view: ChatView;
  beforeAll(async () => {
    view = await openChat(browser, casement.url, { tab: 'model', model: 'local' });
    await view.section(/^Tools on offer/).waitFor();
  });
  afterAll(() => view?.close());

  verifies('HOST-021', 'shows the tools after visibility, each with its source', async () => {
    await showAllTools(view);
    await toolOf(view, /^get-time$/).waitFor();
    expect(await toolOf(view, /^get-time$/).innerText()).toContain('server react');
    for (const [name, server] of [
      ['fixture__both', 'fixture'],
      ['second__both', 'second'],
    ] as const) {
      const text = await toolOf(view, name).innerText();
      expect(text).toContain(`server ${server}`);
      expect(text).toContain('2 tools are called both');
    }
    expect(await toolOf(view, 'app-only').count()).toBe(0);
    const left = await view.section(/^Left out/).innerText();
    expect(left).toContain('app-only of fixture: for apps alone');
    expect(left).toContain('nobodys-tool of second: for nobody');
    expect(JSON.stringify(await readRequest(view))).not.toContain('app-only');
  });

  test('the model of the address is the one that answers, and what stands in the composer is what it gets', async () => {
    model.play(
      async (answer) => {
        await answer.call('call_1', 'fixture__model-context', '{"a":', '1}');
        await answer.finish('tool_calls');
      },
      async (answer) => {
        await answer.text('Here ', 'it is.');
        await answer.finish('stop');
      },
    );
    await view.composer.fill('Show me the seats');
    await view.panel.getByText('not sent yet').waitFor();
    const foreseen = await readRequest(view);
    const asked = view.page.waitForRequest(/\/api\/chat$/);
    await view.chat.getByRole('button', { name: 'Send', exact: true }).click();
    const { model: id, request } = (await asked).postDataJSON() as { model: string; request: unknown };
    expect(id).toBe('local');
    expect(request).toEqual(foreseen);
    await view.settled();
    await view.app(0);
    expect(model.calls).toHaveLength(2);
    expect(await view.messages.last().innerText()).toContain('Here it is.');
  });

  verifies(
    ['HOST-062', 'HOST-063'],
    'shows what an app gave the model to know, who gave it, and that it goes with the next message',
    async () => {
      const { frame } = await view.app(0);
      await frame.getByRole('button', { name: 'Set' }).click();
      await frame.getByRole('button', { name: 'Replace' }).click();
      const contexts = view.section('Context of apps (1)');
      await contexts.waitFor();
      await eventually(() => contexts.innerText()).toContain('4A');
      const text = await contexts.innerText();
      expect(text).toContain('Guest that tells the model of itself');
      expect(text).toContain('Of server fixture');
      expect(text).toContain('with the next message');
      expect(text).not.toContain('two seats chosen');

      model.play(async (answer) => {
        await answer.text('Booked.');
        await answer.finish('stop');
      });
      await view.composer.fill('Book them');
      await view.panel.getByText('not sent yet').waitFor();
      const foreseen = await readRequest(view);
      await view.say('Book them');
      const last = model.calls[0]?.body.messages.at(-1);
      expect(JSON.stringify(last)).toContain('4A');
      expect(model.calls[0]?.text).not.toContain('two seats chosen');
      expect(JSON.stringify(foreseen)).toContain('The app wrote it, not the user.');
      await contexts.getByText('told already').waitFor();
    },
  );

  verifies(
    'HOST-096',
    'tells the tools of an app from those of servers, by its name and version',
    async () => {
      model.play(
        async (answer) => {
          await answer.call('call_9', 'fixture__app-tools', '{}');
          await answer.finish('tool_calls');
        },
        async (answer) => {
          await answer.text('There.');
          await answer.finish('stop');
        },
      );
      await view.say('Show the board');
      await view.app(1);
      const tool = toolOf(view, /__set-square$/);
      await tool.waitFor();
      expect(await tool.innerText()).toContain('app Guest with tools of its own 1.0.0, of server fixture');
      expect(await tool.getAttribute('data-kind')).toBe('app');
      const [ofApp, ofServer] = await Promise.all(
        [tool, toolOf(view, /^get-time$/)].map((one) =>
          one.locator('.badge').evaluate((badge) => getComputedStyle(badge).backgroundColor),
        ),
      );
      expect(ofApp).not.toBe(ofServer);

      await view.chat.getByRole('button', { name: 'Ask before calls' }).click();
      const name = await tool.locator('h4 code').innerText();
      model.play(
        async (answer) => {
          await answer.call('call_10', name, '{"mark":"X"}');
          await answer.finish('tool_calls');
        },
        async (answer) => {
          await answer.text('Done.');
          await answer.finish('stop');
        },
      );
      await view.composer.fill('Mark it');
      await view.chat.getByRole('button', { name: 'Send', exact: true }).click();
      const card = view.chat.locator('[data-tool-call]', {
        has: view.page.getByRole('button', { name: 'Allow once' }),
      });
      await card.waitFor();
      const question = await card.innerText();
      expect(question).toContain('Guest with tools of its own');
      expect(question).toContain('1.0.0');
      expect(question).toContain('fixture');
      await view.chat.locator('button:not([aria-disabled="true"])', { hasText: 'Allow once' }).click();
      await view.settled();
      expect(await (await view.app(1)).frame.locator('#square').innerText()).toBe('X');
      await view.button('New conversation').click();
      await eventually(() => tool.count()).toBe(0);
    },
  );

  test('a key that is refused is named in the conversation, and another model may be chosen', async () => {
    model.play((answer) => answer.refuse(401, 'no such key'));
    await view.say('Hello');
    await view.chat.getByRole('alert').waitFor();
    await view.bar.getByRole('combobox', { name: 'Model', exact: true }).selectOption('');
    await eventually(() => new URL(view.page.url()).searchParams.get('model')).toBe('scripted');
    await view.chat.getByRole('button', { name: 'Retry', exact: true }).click();
    await eventually(() => view.messages.last().innerText()).toContain('This is the scripted model');
    expect(model.calls).toHaveLength(1);
  });
});

test('a model the gateway does not have is said, and the scripted one answers', async () => {
  const view = await openChat(browser, casement.url, { model: 'gone' });
  await view.chat.getByText('The address names a model that is not there: gone').waitFor();
  await view.say('hello');
  expect(await view.messages.last().innerText()).toContain('This is the scripted model');
  await view.close();
});

test('a server that goes is left out, and back on offer after its restart', async () => {
  const view = await openChat(browser, casement.url, { tab: 'model', model: 'scripted' });
  await showAllTools(view);
  await toolOf(view, 'second__both').waitFor();
  await view.say('/second__crashes');
  await view
    .section(/^Left out/)
    .getByText('Every tool of second')
    .waitFor();
  expect(await toolOf(view, 'second__both').count()).toBe(0);
  await view.choose('second');
  await view.button('Restart server').click();
  await eventually(() =>
    view
      .section(/^Left out/)
      .getByText('Every tool of second')
      .count(),
  ).toBe(0);
  await toolOf(view, 'second__both').waitFor();
  await view.close();
});

test('the workbench shows what a model would read of the call on the stage: content alone, and the context of its app', async () => {
  const link = { server: 'fixture', tool: 'model-context', args: { a: 1 }, run: true };
  const view = toChatView(await openInspector(browser, casement.url, link));
  await view.stage.reaches('ready');
  await view.openTab('Model');
  const messages = view.section(/^Messages/);
  await eventually(() => messages.innerText()).toContain('text result of model-context');
  expect(await messages.innerText()).toContain('calls model-context');
  await (await view.stage.app()).getByRole('button', { name: 'Set' }).click();
  await view.section('Context of apps (1)').getByText('two seats chosen').waitFor();
  expect(await messages.innerText()).not.toContain('two seats chosen');
  await view.panel.getByRole('textbox', { name: 'As if the user now wrote' }).fill('Which seats?');
  await eventually(() => messages.innerText()).toContain('two seats chosen');
  const request = JSON.stringify(await readRequest(view));
  expect(request).toContain('The app wrote it, not the user.');
  expect(request).not.toContain('structuredContent');
  await view.close();
});

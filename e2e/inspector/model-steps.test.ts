import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { calls, says, startModelServer, type ModelServer } from '../chat/example/model-server.js';
import { closeContexts, openBrowser } from '../support/browser.js';
import { startCasement, type RunningCasement } from '../support/casement.js';
import { createTempFolder, writeConfig } from '../support/config-file.js';
import { eventually } from '../support/eventually.js';
import { fixtureServer } from '../support/server-commands.js';
import { openChat, type ChatView } from './chat-support.js';
import { readOptions } from './support.js';

const key = 'key-of-the-timeline-4b1d9e';
const folder = createTempFolder();
let browser: Browser;
let model: ModelServer;
let casement: RunningCasement;
let view: ChatView;

beforeAll(async () => {
  const config = writeConfig(folder.path, { fixture: fixtureServer() });
  [browser, model] = await Promise.all([openBrowser(), startModelServer()]);
  const flags = ['--config', config, '--trust-config', '--model-url', model.url, '--model', 'tiny'];
  casement = await startCasement(flags, { env: { CASEMENT_MODEL_KEY: key } });
  view = await openChat(browser, casement.url, { tab: 'timeline', model: 'local' });
});

afterAll(async () => {
  await closeContexts();
  await casement?.stop();
  await model?.close();
  folder.remove();
});

const search = () => view.panel.getByRole('searchbox', { name: 'Search timeline' });
const detail = () => view.panel.getByRole('region', { name: 'Selected entry' });
const rows = async (): Promise<string[]> =>
  (await readOptions(view.entries)).map((row) => row.replaceAll(/\s+/g, ' '));
const message = async (): Promise<unknown> =>
  JSON.parse((await detail().getByRole('group', { name: 'Message' }).textContent()) ?? '');

test('a turn can be followed in the timeline: what the model was asked and answered, step by step', async () => {
  model.play(calls('call_1', 'both', '{"n"', ': 1}'), says('All ', 'done.'));
  await view.say('Look at both');
  await search().fill('"model asked"');
  await eventually(rows).toEqual([
    expect.stringMatching(/host Model asked .*“Look at both” \(tiny .*, 1 message, \d+ tools\)/),
    expect.stringMatching(/host Model asked .*after both \(tiny .*, 3 messages, \d+ tools\)/),
  ]);
  await search().fill('"model answered"');
  await eventually(rows).toEqual([
    expect.stringMatching(/host Model answered .*calls both \(tiny .*, after \d+ ms\)/),
    expect.stringMatching(/host Model answered .*“All done\.” \(tiny .*, after \d+ ms\)/),
  ]);
});

test('the detail of a step has everything that was new in it', async () => {
  await search().fill('"after both"');
  await eventually(rows).toHaveLength(1);
  await view.entries.getByRole('option').click();
  await eventually(message).toMatchObject({
    type: 'model-request',
    step: 2,
    told: 3,
    tools: expect.arrayContaining(['both']),
    messages: [
      {
        role: 'assistant',
        content: [{ type: 'tool-call', id: 'call_1', name: 'both', arguments: { n: 1 } }],
      },
      { role: 'tool', results: [{ id: 'call_1', name: 'both' }] },
    ],
  });
  expect(await detail().getByRole('heading').first().innerText()).toBe('Model asked');
  await detail().getByRole('button', { name: 'Close detail' }).click();
});

test('a step that failed is a problem with its code; the key is nowhere', async () => {
  model.play((answer) => answer.refuse(401, `Incorrect API key provided: ${key}`));
  await view.say('Again');
  expect(model.calls[0]?.authorization).toBe(`Bearer ${key}`);
  await search().fill('is:problem "model answered"');
  await eventually(rows).toEqual([
    expect.stringMatching(/Model answered .*model-refused .*refused the key \(HTTP 401\)/),
  ]);
  const recording = JSON.stringify(await view.stage.recording());
  expect(recording).toContain('model-refused');
  expect(recording).not.toContain(key);
});

test('the scripted model is written down like any other', async () => {
  const scripted = await openChat(browser, casement.url, { tab: 'timeline', model: 'scripted' });
  await scripted.say('/both {"n": 2}');
  await scripted.panel.getByRole('searchbox', { name: 'Search timeline' }).fill('"model answered"');
  await eventually(async () => (await readOptions(scripted.entries)).join(' ')).toMatch(/calls both/);
  await scripted.close();
});

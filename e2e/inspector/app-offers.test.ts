import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { eventually } from '../support/eventually.js';
import { toMessages } from '../support/recorded.js';
import { fixtureServer } from '../support/server-commands.js';
import { openInspector, type InspectorPage } from './support.js';
import { browser, casement, useCasement } from '../support/use-casement.js';

let inspector: InspectorPage;

useCasement({ fixture: fixtureServer() });

const show = async (tool: string): Promise<void> => {
  inspector = await openInspector(browser, casement.url, { server: 'fixture', tool, args: {}, run: true });
  await inspector.stage.reaches('ready');
  await inspector.tab('State').click();
};
const click = async (name: string) =>
  (await inspector.stage.app()).getByRole('button', { name, exact: true }).click();
const textOf = (section: string | RegExp) => () => inspector.section(section).innerText();

describe('tools of an app', () => {
  beforeAll(() => show('app-tools'));
  afterAll(() => inspector?.close());

  const offered = textOf(/^Tools of the app/);
  const form = (tool: string) => inspector.panel.getByRole('form', { name: `Call ${tool}` });
  const call = async (tool: string, args: string): Promise<void> => {
    await form(tool).getByRole('textbox', { name: 'Arguments' }).fill(args);
    await form(tool).getByRole('button', { name: 'Call' }).click();
  };

  test('are listed with what they say of themselves', async () => {
    await eventually(offered).toMatch(/Tools of the app \(2\)[\s\S]*Set a square/);
    const text = await offered();
    expect(text).toContain('Offered by Guest with tools of its own 1.0.0');
    expect(text).toMatch(/changes things\s+destroys nothing/);
    expect(text).toMatch(/set-square, for a model app_\w+__set-square/);
  });

  verifies('HOST-100', 'are called with JSON, and the answer is shown and recorded', async () => {
    await call('set-square', '{"mark": "O"}');
    await eventually(() => form('set-square').innerText()).toContain('the square holds O');
    await eventually(async () => (await inspector.stage.app()).locator('#square').innerText()).toBe('O');
    const asked = toMessages(await inspector.stage.recording()).find(
      ({ leg, dir, method }) => leg === 'app' && dir === 'out' && method === 'tools/call',
    );
    expect(asked?.params).toMatchObject({ name: 'set-square', arguments: { mark: 'O' } });
    await inspector.tab('Timeline').click();
    await inspector.panel.getByRole('searchbox').fill('set-square');
    await eventually(() => inspector.entries.innerText()).toMatch(
      /The app offers the tools app_\w+__set-square, app_\w+__fails/,
    );
    expect(await inspector.entries.innerText()).toMatch(/app_\w+__set-square was called: it answered/);
    await inspector.tab('State').click();
  });

  test('that say they failed, and arguments that are no JSON, are told apart', async () => {
    await call('fails', '{}');
    await eventually(() => form('fails').getByRole('status').innerText()).toMatch(/^Tool error in/);
    await form('fails').getByRole('textbox').fill('{"mark":');
    expect(await form('fails').getByRole('button', { name: 'Call' }).isDisabled()).toBe(true);
  });

  test('that come later are listed after the app said so', async () => {
    await click('Offer another tool');
    await eventually(offered).toMatch(/Tools of the app \(3\)[\s\S]*clear-board[\s\S]*may destroy/);
  });
});

describe('what the model would be told', () => {
  beforeAll(() => show('model-context'));
  afterAll(() => inspector?.close());

  const context = textOf('Model context');

  verifies('HOST-064', 'is shown, replaced whole, and gone when the app clears it', async () => {
    expect(await context()).toContain('The app has not given any.');
    await click('Set');
    await eventually(context).toContain('two seats chosen');
    await click('Replace');
    await eventually(context).toMatch(/\(2 updates\)[\s\S]*"4B"/);
    expect(await context()).not.toContain('two seats chosen');
    await click('Clear');
    await eventually(context).toContain('Cleared by the app (3 updates)');
    expect(await context()).not.toContain('4B');
  });
});

verifies(
  ['HOST-090', 'HOST-091'],
  'an app that asks to be closed is asked to stop first, and the stage says whose wish it was',
  async () => {
    await show('asks-to-close');
    await click('Done');
    await inspector.stage.reaches('closed');
    const stage = inspector.page.getByRole('region', { name: 'Stage' });
    await eventually(() => stage.innerText()).toContain('The app asked to be closed, and was.');
    const messages = toMessages(await inspector.stage.recording());
    const asked = messages.findIndex(({ method }) => method === 'ui/resource-teardown');
    expect(messages[asked]).toMatchObject({ leg: 'app', dir: 'out' });
    expect(
      messages.slice(asked + 1).some(({ leg, dir, result }) => leg === 'app' && dir === 'in' && result),
    ).toBe(true);
    await inspector.close();
  },
);

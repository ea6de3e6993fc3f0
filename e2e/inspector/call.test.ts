import { beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { eventually } from '../support/eventually.js';
import { toMessages } from '../support/recorded.js';
import { servers } from './servers.js';
import { openInspector, type InspectorPage } from './support.js';
import { browser, casement, useCasement } from '../support/use-casement.js';

let inspector: InspectorPage;

useCasement({ debug: servers.debug, n8n: servers.n8n });

beforeAll(async () => {
  inspector = await openInspector(browser, casement.url, { server: 'debug', tool: 'debug-tool' });
});

const readJson = async (): Promise<unknown> => JSON.parse(await inspector.stage.toolArguments.inputValue());
const field = (name: string) => inspector.call.getByLabel(name, { exact: true });
const measured = /\d+(\.\d+)? m?s/;

describe('the arguments', () => {
  test('the form has a control for each property of the schema and starts from its defaults', async () => {
    await eventually(() => inspector.button('Form').getAttribute('aria-pressed')).toBe('true');
    expect(await field('contentType').locator('option').allInnerTexts()).toEqual(
      expect.arrayContaining(['text', 'image', 'audio', 'resource', 'resourceLink', 'mixed']),
    );
    expect(await field('contentType').locator('option:checked').innerText()).toBe('text');
    expect(await field('multipleBlocks').isChecked()).toBe(true);
    expect(await field('simulateError').isChecked()).toBe(false);
    expect(await field('largeInput').inputValue()).toBe('');
    expect(await field('delayMs').inputValue()).toBe('');
  });

  test('what is filled into the form is what the JSON says, without what was left empty', async () => {
    await field('contentType').selectOption('mixed');
    await field('multipleBlocks').uncheck();
    await field('largeInput').fill('some words');
    await field('delayMs').fill('5');
    await inspector.button('JSON').click();
    expect(await readJson()).toMatchObject({
      contentType: 'mixed',
      multipleBlocks: false,
      largeInput: 'some words',
      delayMs: 5,
    });
    await inspector.button('Form').click();
    await field('largeInput').fill('');
    await inspector.button('JSON').click();
    expect(await readJson()).not.toHaveProperty('largeInput');
  });

  test('what is written as JSON is what the form shows', async () => {
    await inspector.stage.toolArguments.fill('{"contentType":"image","simulateError":true,"delayMs":12}');
    await inspector.button('Form').click();
    expect(await field('contentType').locator('option:checked').innerText()).toBe('image');
    expect(await field('simulateError').isChecked()).toBe(true);
    expect(await field('delayMs').inputValue()).toBe('12');
  });

  test('text that is not JSON keeps the form away and is not run', async () => {
    await inspector.button('JSON').click();
    await inspector.stage.toolArguments.fill('{"contentType":');
    await eventually(() => inspector.stage.toolArguments.getAttribute('aria-invalid')).toBe('true');
    expect(await inspector.button('Form').isDisabled()).toBe(true);
    await inspector.button('Run').click();
    await eventually(() => inspector.call.getByRole('alert').count()).toBe(1);
    expect(await inspector.outcome.innerText()).toBe('');
  });

  test('the last arguments of a tool come back after another tool and after a reload', async () => {
    const args = { contentType: 'audio', largeInput: 'kept' };
    await inspector.stage.toolArguments.fill(JSON.stringify(args));
    await inspector.choose('n8n', 'validate_node');
    await inspector.choose('debug', 'debug-tool');
    await inspector.button('JSON').click();
    await eventually(readJson).toEqual(args);
    // The address names only the server: what comes back is what this browser kept.
    await inspector.page.goto(`${new URL(inspector.page.url()).origin}/?server=debug`);
    await inspector.button('JSON').click();
    await eventually(readJson).toEqual(args);
  });

  test('an argument the schema asks for and does not get is named', async () => {
    await inspector.choose('n8n', 'validate_node');
    await inspector.button('JSON').click();
    await inspector.stage.toolArguments.fill('{}');
    await eventually(() => inspector.call.innerText()).toMatch(/nodeType\s+is required/);
  });
});

describe('a call', () => {
  test('says how long it took and how much it brought', async () => {
    await inspector.choose('debug', 'debug-tool');
    await inspector.button('JSON').click();
    await inspector.stage.toolArguments.fill('{"contentType":"text","delayMs":5}');
    await inspector.button('Run').click();
    await eventually(() => inspector.outcome.innerText()).toMatch(
      new RegExp(`^Done in ${measured.source} · \\d+(\\.\\d+)? (B|KB)$`),
    );
    expect(await inspector.button('Cancel').isDisabled()).toBe(true);
    await inspector.stage.reaches('ready');
  });

  verifies('S1-64', 'that runs says so, and is cancelled on request: server and app hear of it', async () => {
    await inspector.stage.toolArguments.fill('{"delayMs":600000}');
    await inspector.button('Run').click();
    await eventually(() => inspector.outcome.innerText()).toBe('Running…');
    await inspector.stage.reaches('ready');
    await inspector.button('Cancel').click();
    await eventually(() => inspector.outcome.innerText()).toMatch(
      new RegExp(`^Cancelled after ${measured.source}$`),
    );
    const told = async () =>
      toMessages(await inspector.stage.recording())
        .filter(({ dir, method }) => dir === 'out' && /cancelled$/.test(method ?? ''))
        .map(({ leg, method }) => `${leg} ${method}`);
    await eventually(told).toContain('app ui/notifications/tool-cancelled');
    await eventually(told).toContain('server notifications/cancelled');
    expect(await inspector.stage.status()).toBe('ready');
  });

  test('that the tool answered with an error says so and keeps its text at hand', async () => {
    await inspector.stage.toolArguments.fill('{"simulateError":true}');
    await inspector.button('Run').click();
    await eventually(() => inspector.outcome.innerText()).toMatch(/^Tool error in /);
    // By key: the app above still grows and would move the button away under a pointer.
    await inspector.page.getByRole('button', { name: /the tool says it failed/ }).press('Enter');
    await eventually(() => inspector.page.getByLabel('Text result').innerText()).not.toBe('');
  });

  verifies('S1-25', 'of a tool without an app shows its result as text', async () => {
    await inspector.choose('n8n', 'search_nodes');
    await inspector.button('JSON').click();
    await inspector.stage.toolArguments.fill('{"query":"slack","limit":3}');
    await inspector.button('Run').click();
    await eventually(() => inspector.page.getByLabel('Text result').innerText()).toContain('slack');
    expect(await inspector.page.locator('#stage iframe').count()).toBe(0);
  });
});

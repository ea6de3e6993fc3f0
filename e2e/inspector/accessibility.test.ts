import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readFaults, readFaultsInBothSchemes } from '../support/axe.js';
import { eventually } from '../support/eventually.js';
import { fixtureServer } from '../support/server-commands.js';
import { servers } from './servers.js';
import { openInspector, type InspectorPage } from './support.js';
import { browser, casement, useCasement } from '../support/use-casement.js';

useCasement({ debug: servers.debug, fixture: fixtureServer() });

test('the check itself finds a control without a name and text without contrast', async () => {
  const inspector = await openInspector(browser, casement.url);
  await inspector.page.evaluate(() => {
    const button = document.createElement('button');
    const text = document.createElement('p');
    text.textContent = 'hardly there';
    text.style.color = '#eee';
    text.style.background = '#fff';
    document.querySelector('main')?.append(button, text);
  });
  const faults = (await readFaults(inspector.page)).map((fault) => fault.split(':')[0]);
  expect(faults).toEqual(expect.arrayContaining(['button-name', 'color-contrast']));
  await inspector.close();
});

test('the check itself finds text that loses its contrast in the other colours', async () => {
  const inspector = await openInspector(browser, casement.url);
  await inspector.page.evaluate(() => {
    const text = document.createElement('p');
    text.textContent = 'there by day';
    text.style.color = '#000';
    text.style.background = '#fff';
    document.querySelector('main')?.append(text);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => (text.style.color = '#eee'));
  });
  const faults = await readFaultsInBothSchemes(inspector.page);
  expect(faults.map((fault) => fault.split(':', 2).join(':'))).toEqual(['dark: color-contrast']);
  await inspector.close();
});

/** Each look begins with other colours, so that the page is opened in both. */
const looks = [
  { scheme: 'light', width: 1440, height: 900 },
  { scheme: 'dark', width: 390, height: 844 },
] as const;

describe.each(looks)('in light and in dark colours at $width px nothing serious is found', (look) => {
  let inspector: InspectorPage;
  const readTheme = () => inspector.page.locator('html').getAttribute('data-theme');
  const faults = () =>
    readFaultsInBothSchemes(inspector.page, {
      onScheme: (scheme) => eventually(readTheme).toBe(scheme),
    });
  beforeAll(async () => {
    const link = { server: 'debug', tool: 'debug-tool', args: { contentType: 'text' }, run: true };
    inspector = await openInspector(browser, casement.url, link, look);
    await inspector.stage.reaches('ready');
    expect(await readTheme()).toBe(look.scheme);
  });
  afterAll(() => inspector?.close());

  /** In a narrow window one part is shown at a time. */
  const show = async (name: 'Tools' | 'App' | 'Inspect'): Promise<void> => {
    if (look.width < 720) await inspector.button(name).click();
  };

  test('with an app on the stage, as form and as JSON', async () => {
    expect(await faults()).toEqual([]);
    await inspector.button('JSON').click();
    await inspector.stage.toolArguments.fill('{"contentType":');
    expect(await faults()).toEqual([]);
    await inspector.stage.toolArguments.fill('{}');
    await show('Tools');
    expect(await faults()).toEqual([]);
  });

  test('in the timeline, with an entry open', async () => {
    await show('Inspect');
    await inspector.panel.getByRole('searchbox').fill('ui/initialize');
    await inspector.entries.getByRole('option').first().click();
    await inspector.panel.getByRole('region', { name: 'Selected entry' }).waitFor();
    expect(await faults()).toEqual([]);
  });

  test('in the State tab', async () => {
    await inspector.tab('State').click();
    await inspector.section('Capabilities').waitFor();
    await inspector.panel.getByText('Everything sent').click();
    expect(await faults()).toEqual([]);
  });

  test('in the Security tab, with something blocked', async () => {
    await (await inspector.stage.app()).evaluate(() => fetch('https://api.example.com/').catch(() => 0));
    await inspector.tab('Security').click();
    await inspector.section(/^Violations \(/).waitFor();
    expect(await faults()).toEqual([]);
  });

  test('with a question on the screen, and with what was remembered of it', async () => {
    await show('App');
    // The button may be anywhere in the app: what counts is that it asks.
    const send = (await inspector.stage.app()).locator('#send-message-text-btn');
    await send.evaluate((button: HTMLElement) => button.click());
    const question = inspector.page.getByRole('dialog');
    const allow = question.locator('button[aria-disabled="false"]', { hasText: 'Send' });
    await allow.waitFor();
    expect(await faults()).toEqual([]);
    await question.getByRole('checkbox', { name: /^Always/ }).check();
    await allow.click();
    await show('Inspect');
    await inspector.tab('Security').click();
    await inspector.section('Remembered choices (1)').waitFor();
    expect(await faults()).toEqual([]);
  });

  test('with the tools of an app, one of them called', async () => {
    await show('Tools');
    await inspector.choose('fixture', 'app-tools');
    await show('App');
    await inspector.runApp();
    await show('Inspect');
    await inspector.tab('State').click();
    await inspector.section('Tools of the app (2)').waitFor();
    const form = inspector.panel.getByRole('form', { name: 'Call set-square' });
    await form.getByRole('textbox').fill('{"mark": "X"}');
    await form.getByRole('button', { name: 'Call' }).click();
    await form.getByRole('group', { name: 'Result of set-square' }).waitFor();
    expect(await faults()).toEqual([]);
  });

  test('when an app was stopped', async () => {
    await show('App');
    await inspector.button('Stop app').click();
    await inspector.failure.waitFor();
    expect(await faults()).toEqual([]);
  });

  test('when an app failed', async () => {
    await show('Tools');
    await inspector.choose('fixture', 'wrong-mime');
    await show('App');
    await inspector.button('Run').press('Enter');
    await eventually(() => inspector.stage.status()).toBe('failed');
    await inspector.failure.waitFor();
    expect(await faults()).toEqual([]);
  });
});

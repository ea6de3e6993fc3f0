import { beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { eventually } from '../support/eventually.js';
import { toMessages, toMethodsSentToApp } from '../support/recorded.js';
import { fixtureServer } from '../support/server-commands.js';
import { servers } from './servers.js';
import { openInspector, type InspectorPage } from './support.js';
import { browser, casement, useCasement } from '../support/use-casement.js';
import { shownFrame } from '../support/stage.js';

let inspector: InspectorPage;

useCasement({ react: servers.react, debug: servers.debug, fixture: fixtureServer() });

beforeAll(async () => {
  inspector = await openInspector(browser, casement.url, {
    server: 'debug',
    tool: 'debug-tool',
    args: { contentType: 'text' },
    run: true,
  });
  await inspector.stage.reaches('ready');
});

const select = (name: string) => inspector.toolbar.getByRole('combobox', { name, exact: true });
const frame = () => inspector.page.locator(shownFrame);
const frameWidth = async () => (await frame().boundingBox())?.width ?? 0;
/** The last value of one field of the context that the app was sent. */
const told = async (field: string): Promise<unknown> =>
  toMessages(await inspector.stage.recording())
    .filter(({ leg, method }) => leg === 'app' && method === 'ui/notifications/host-context-changed')
    .map(({ params }) => params?.[field])
    .filter((value) => value !== undefined)
    .at(-1);

verifies(
  ['S1-24', 'S1-72'],
  'the call stays on screen over its app, whose address is its caption',
  async () => {
    const tool = inspector.call.getByRole('combobox', { name: 'Tool', exact: true });
    expect(await tool.inputValue()).toBe('debug-tool');
    const [card, app] = await Promise.all([tool.boundingBox(), frame().boundingBox()]);
    expect(card?.y).toBeGreaterThanOrEqual(0);
    expect((card?.y ?? 0) + (card?.height ?? 0)).toBeLessThanOrEqual(app?.y ?? 0);
    const caption = inspector.page
      .getByRole('region', { name: 'Stage' })
      .getByText('ui://debug-tool/mcp-app.html');
    // What is said around an app comes a moment after it.
    await eventually(() => caption.isVisible()).toBe(true);
  },
);

describe('the toolbar', () => {
  test('names the app on the stage and how it stands', async () => {
    await eventually(() => inspector.toolbar.innerText()).toMatch(/ready\s+Debug App/);
  });

  verifies('S1-63', 'a theme for the page is a theme for the app', async () => {
    await select('Theme').selectOption('dark');
    await eventually(() => told('theme')).toBe('dark');
    expect(await inspector.page.locator('html').getAttribute('data-theme')).toBe('dark');
    await select('Theme').selectOption('light');
    await eventually(() => told('theme')).toBe('light');
  });

  test('a locale is told to the app, and the browser’s own again after it', async () => {
    await select('Locale').selectOption('ja-JP');
    await eventually(() => told('locale')).toBe('ja-JP');
    await select('Locale').selectOption('');
    await eventually(() => told('locale')).toBe('en-GB');
  });

  test('a width preset gives the app that much room', async () => {
    const full = await frameWidth();
    await select('Width').selectOption('phone');
    await eventually(frameWidth).toBeLessThanOrEqual(390);
    expect(await frameWidth()).toBeGreaterThan(350);
    expect(full).toBeGreaterThan(390);
    await select('Width').selectOption('full');
    await eventually(frameWidth).toBe(full);
  });

  test('the storage of apps ends with the page unless the switch says otherwise, and State says which', async () => {
    await inspector.tab('State').click();
    const storage = () => inspector.section('Origins and frame flags').innerText();
    await eventually(storage).toContain('page: as long as this page');
    expect(await frame().getAttribute('credentialless')).toBe('');
    await select('Storage').selectOption('persistent');
    await eventually(storage).toContain('persistent: it lasts');
    await inspector.stage.reaches('ready');
    expect(await frame().getAttribute('credentialless')).toBeNull();
    expect(inspector.page.url()).toContain('storage=persistent');
    await select('Storage').selectOption('page');
    await eventually(storage).toContain('page: as long as this page');
    await inspector.stage.reaches('ready');
    await inspector.tab('Timeline').click();
  });

  verifies(
    'S1-48',
    'an app begins inline, fills the window in fullscreen, floats and comes back',
    async () => {
      expect(await select('Display mode').inputValue()).toBe('inline');
      const inline = await frameWidth();
      await select('Display mode').selectOption('fullscreen');
      await eventually(() => told('displayMode')).toBe('fullscreen');
      await eventually(frameWidth).toBe(1440);
      await select('Display mode').selectOption('pip');
      await eventually(() => told('displayMode')).toBe('pip');
      await eventually(frameWidth).toBeLessThan(600);
      await select('Display mode').selectOption('inline');
      await eventually(() => told('displayMode')).toBe('inline');
      await eventually(frameWidth).toBe(inline);
    },
  );

  test('a reload starts the app anew with its input and result', async () => {
    const epoch = (await inspector.stage.snapshot())?.epoch ?? 0;
    await inspector.button('Reload app').click();
    await eventually(async () => (await inspector.stage.snapshot())?.epoch).toBe(epoch + 1);
    await inspector.stage.reaches('ready');
    const sent = async () =>
      toMethodsSentToApp((await inspector.stage.recording()).filter((entry) => entry.epoch === epoch + 1));
    await eventually(sent).toEqual(
      expect.arrayContaining(['ui/notifications/tool-input', 'ui/notifications/tool-result']),
    );
  });

  test('closing the app leaves its result in its place and the controls without effect', async () => {
    await inspector.button('Close app').click();
    await inspector.stage.reaches('closed');
    await eventually(() => inspector.page.getByLabel('Text result').innerText()).toContain('Debug text');
    expect(await inspector.button('Close app').isDisabled()).toBe(true);
    expect(await inspector.button('Reload app').isDisabled()).toBe(true);
    expect(await select('Display mode').isDisabled()).toBe(true);
    const stage = inspector.page.getByRole('region', { name: 'Stage' });
    expect(await stage.innerText()).toContain('The app is closed.');
  });
});

describe('the failure panel', () => {
  const stages = () => inspector.failure.getByRole('list', { name: 'Stages' });

  verifies(
    'S1-65',
    'says the step, what was seen, why and what to do, and shows the text instead',
    async () => {
      await inspector.choose('fixture', 'wrong-mime');
      await inspector.button('Run').click();
      await eventually(() => inspector.stage.status()).toBe('failed');
      await eventually(() => inspector.failure.getByRole('term').allInnerTexts()).toEqual([
        'Seen',
        'Likely cause',
        'Fix',
      ]);
      const text = await inspector.failure.innerText();
      expect(text).toContain('The app could not be read');
      expect(text).toContain('text/html;profile=mcp-app');
      expect(text).toContain('resource-mime');
      await eventually(() => stages().locator('[aria-current="step"]').innerText()).toMatch(/Read\s+failed/);
      await eventually(() => inspector.page.getByLabel('Text result').isVisible()).toBe(true);
    },
  );

  test('goes away with the next app that works', async () => {
    await inspector.choose('react', 'get-time');
    await inspector.runApp();
    await eventually(() => inspector.failure.count()).toBe(0);
  });
});

import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { fixtureServer } from '../support/server-commands.js';
import { openInspector, type InspectorPage } from './support.js';
import { browser, casement, useCasement } from '../support/use-casement.js';

useCasement({ fixture: fixtureServer() });

interface Guest {
  bridge: { request(method: string, params: object): Promise<unknown> };
}

const openApp = async (): Promise<InspectorPage> => {
  const inspector = await openInspector(browser, casement.url);
  await inspector.choose('fixture', 'well-behaved');
  await inspector.runApp();
  return inspector;
};

/** The app sends a message; the answer is for nobody. */
const send = async (inspector: InspectorPage, content: readonly object[]): Promise<void> =>
  (await inspector.stage.app()).evaluate((blocks) => {
    // The guest's own script put it there.
    void (globalThis as unknown as Guest).bridge.request('ui/message', { role: 'user', content: blocks });
  }, content);

test('sec-B2 sec-B10 the inspector shows what a block is, not what stands beside it, and what is not seen', async () => {
  const inspector = await openApp();
  await send(inspector, [
    { type: 'resource', text: 'Thanks!', resource: { uri: 'note:1', text: 'CALLBANK \u{e0041}now' } },
  ]);
  const dialog = inspector.page.getByRole('dialog', { name: 'Send this message as yours?' });
  expect(await dialog.locator('.detail').textContent()).toBe('[resource note:1]\nCALLBANK \\u{e0041}now');
  expect(await dialog.textContent()).not.toContain('Thanks!');
  await inspector.page.keyboard.press('Escape');
  await eventually(() => dialog.count()).toBe(0);
});

test('sec-W3 the inspector says above a long text that it is cut, and offers no always before all was shown', async () => {
  const inspector = await openApp();
  await send(inspector, [{ type: 'text', text: `${'word '.repeat(1_000)}SECRETTAIL` }]);
  const dialog = inspector.page.getByRole('dialog');
  await dialog.getByText('Only the beginning of 5,010 characters is in sight.').waitFor();
  expect(await dialog.getByRole('checkbox').count()).toBe(0);
  await dialog.getByRole('button', { name: 'Show all' }).click();
  expect(await dialog.locator('.detail').textContent()).toContain('SECRETTAIL');
});

test('a memory that cannot be read is said in the Security tab, kept, and given up on demand; the one of before is read on', async () => {
  const inspector = await openApp();
  const read = (key: string) => inspector.page.evaluate((name) => localStorage.getItem(name), key);
  await inspector.page.evaluate(() => {
    localStorage.setItem('casement.consents', '{broken');
    const approval = { kind: 'tool', server: 'gone', scope: 'erase', setting: 'never' };
    localStorage.setItem('casement.approvals', JSON.stringify([approval]));
  });
  await inspector.page.reload();
  await inspector.tab('Security').click();
  const remembered = inspector.section('Remembered choices (1)');
  await remembered.getByText('consents-unreadable').waitFor();
  await remembered.getByText('The model may never call erase').waitFor();
  expect(await read('casement.consents')).toBe('{broken');
  await remembered.getByRole('button', { name: /^Take back/ }).click();
  await inspector.section('Remembered choices (0)').waitFor();
  expect(await read('casement.consents.unreadable-1')).toBe('{broken');
  await inspector.button('Discard what could not be read').click();
  await eventually(() => read('casement.consents.unreadable-1')).toBeNull();
  expect(await inspector.page.getByText('consents-unreadable').count()).toBe(0);
});

test('what is taken back in one tab is gone from the other at once', async () => {
  const one = await openApp();
  const choice = { kind: 'message', server: 'somebody', scope: '' };
  await one.page.evaluate((key) => localStorage.setItem('casement.consents', JSON.stringify([key])), choice);
  const page = await one.page.context().newPage();
  await one.page.reload();
  await one.tab('Security').click();
  await one.section('Remembered choices (1)').waitFor();
  // Another tab of the same browser takes it back.
  await page.goto(new URL('/', one.page.url()).href);
  await page.evaluate(() => localStorage.removeItem('casement.consents'));
  await one.section('Remembered choices (0)').waitFor();
});

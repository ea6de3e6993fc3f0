import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { useChat } from './support.js';

const chat = useChat();

/** A chat whose one server fails to list its tools with a code, until `window.isBack`. */
const openWithout = async (code: string): Promise<Page> => {
  const page = await chat.open({});
  await page.evaluate((name) => {
    const refuse = () => Promise.reject(new Error('no'));
    window.chat.conversation.setServers([
      {
        name: 'shop',
        identity: 'shop',
        listTools: async () => {
          if ('isBack' in window) return [];
          // An error of the packages' own class, which the page's bundle has.
          throw window.chat.toError(name, 'The shop is closed.');
        },
        callTool: refuse,
        readResource: refuse,
        listResources: async () => [],
        subscribe: () => () => undefined,
      },
    ]);
  }, code);
  await problem(page).waitFor();
  return page;
};
const problem = (page: Page) => page.locator(`.casement-problems li`);
const button = (page: Page) => page.getByRole('button', { name: 'Restart shop' });
const said = (page: Page) => page.locator('.casement-unseen[role="status"]').innerText();

test('a page that cannot start servers offers nothing, and one that can only for a server that is gone', async () => {
  const page = await openWithout('server-exited');
  expect(await button(page).count()).toBe(0);
  await page.evaluate(() => window.chat.render({ onRestartServer: () => Promise.resolve() }));
  await button(page).waitFor();
  const other = await openWithout('server-sign-in');
  await other.evaluate(() => window.chat.render({ onRestartServer: () => Promise.resolve() }));
  await other.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  expect(await button(other).count()).toBe(0);
});

test('while it starts the button says so and asks once; a server that does not come back is said, and can be tried again', async () => {
  const page = await openWithout('server-exited');
  await page.evaluate(() => {
    const asked: string[] = [];
    Object.assign(window, { asked });
    window.chat.render({
      onRestartServer: (server: string) => {
        asked.push(server);
        return new Promise((_, reject) => Object.assign(window, { refuse: () => reject(new Error('no')) }));
      },
    });
  });
  const asked = () => page.evaluate(() => Reflect.get(window, 'asked') as string[]);
  await button(page).click();
  await eventually(() => button(page).textContent()).toBe('Restarting…');
  expect(await button(page).getAttribute('aria-disabled')).toBe('true');
  await button(page).click({ force: true });
  expect(await asked()).toEqual(['shop']);
  await page.evaluate(() => Reflect.get(window, 'refuse')());
  await eventually(() => said(page)).toContain('shop could not be restarted.');
  expect(await problem(page).textContent()).toContain('The shop is closed.');
  expect(await button(page).textContent()).toBe('Restart');

  await button(page).click();
  await eventually(asked).toEqual(['shop', 'shop']);
  // It is there although the answer to the wish was lost.
  await page.evaluate(() => Object.assign(window, { isBack: true }));
  await page.evaluate(() => Reflect.get(window, 'refuse')());
  await eventually(() => problem(page).count()).toBe(0);
  await eventually(() => said(page)).toContain('shop runs again.');
  expect(chat.errors).toEqual([]);
});

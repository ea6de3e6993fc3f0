import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { page, useHostPage, world } from './fixture.js';
import { guestOf, show } from './support.js';
import { toApp } from '../support/guest.js';

useHostPage();

/** Asks to open a page at each click, and with `more` twice as often as it is clicked. */
const toAsking = (more: boolean): string =>
  toApp(`
    await bridge.initialize();
    document.body.insertAdjacentHTML('beforeend', '<button>Open</button>');
    const answers = [];
    const ask = async () => {
      answers.push(await bridge.request('ui/open-link', { url: 'https://example.com/' }));
      bridge.report(answers.map(({ error }) => error?.data?.code ?? 'asked'));
    };
    document.querySelector('button').onclick = async () => {
      await ask();
      while (${more} && answers.length < 6) await ask();
    };
  `);

/** Shows an app whose user says yes to whatever it asks, a moment after it asked. */
const showAgreed = async (html: string): Promise<void> => {
  await page.evaluate(() => {
    const { mountApp } = window.hostModule;
    // The plan crosses into the page as text; what answers is a function of the page.
    window.hostModule = {
      ...window.hostModule,
      mountApp: (container, options) =>
        mountApp(container, {
          ...options,
          onOpenLink: () => new Promise((resolve) => setTimeout(resolve, 20, true)),
          openLink: () => undefined,
        }),
    };
  });
  await show(page, { html, base: world.base });
};

const report = async (): Promise<unknown> =>
  JSON.parse((await (await guestOf(page)).textContent('#report')) || '[]');

test('a user who clicks and agrees is asked as often as they click', async () => {
  await showAgreed(toAsking(false));
  const button = (await guestOf(page)).getByRole('button', { name: 'Open' });
  for (let click = 1; click <= 6; click += 1) {
    await button.click();
    await eventually(report).toHaveLength(click);
  }
  expect(await report()).toEqual(Array<string>(6).fill('asked'));
});

test('one click is one question: what an app asks besides is counted, though the user agrees', async () => {
  await showAgreed(toAsking(true));
  await (await guestOf(page)).getByRole('button', { name: 'Open' }).click();
  await eventually(report).toEqual([
    ...Array<string>(4).fill('asked'),
    ...Array<string>(2).fill('rate-limited'),
  ]);
});

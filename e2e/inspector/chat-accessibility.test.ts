import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readFaults, readFaultsInBothSchemes } from '../support/axe.js';
import { eventually } from '../support/eventually.js';
import { fixtureServer } from '../support/server-commands.js';
import { openChat, type ChatView } from './chat-support.js';
import { servers } from './servers.js';
import { browser, casement, useCasement } from '../support/use-casement.js';

useCasement({ react: servers.react, fixture: fixtureServer() });

test('the check itself finds text without contrast in the chat', async () => {
  const view = await openChat(browser, casement.url);
  await view.chat.evaluate((chat) => {
    const text = document.createElement('p');
    text.textContent = 'hardly there';
    text.style.color = '#eee';
    text.style.background = '#fff';
    chat.append(text);
  });
  expect((await readFaults(view.page)).map((fault) => fault.split(':')[0])).toContain('color-contrast');
  await view.close();
});

/** Each look begins with other colours, so that the page is opened in both. */
const looks = [
  { scheme: 'light', width: 1440, height: 900 },
  { scheme: 'dark', width: 390, height: 844 },
] as const;

describe.each(looks)(
  'in light and in dark colours at $width px nothing serious is found in the chat',
  (look) => {
    let view: ChatView;
    const readTheme = () => view.page.locator('html').getAttribute('data-theme');
    const faults = () =>
      readFaultsInBothSchemes(view.page, { onScheme: (scheme) => eventually(readTheme).toBe(scheme) });
    beforeAll(async () => {
      view = await openChat(browser, casement.url, {}, look);
      expect(await readTheme()).toBe(look.scheme);
    });
    afterAll(() => view?.close());

    /** In a narrow window one part is shown at a time. */
    const show = async (name: 'Tools' | 'Chat' | 'Inspect'): Promise<void> => {
      if (look.width < 720)
        await view.page
          .getByRole('navigation', { name: 'Parts of the page' })
          .getByRole('button', { name, exact: true })
          .click();
    };

    test('before anything is said', async () => {
      expect(await faults()).toEqual([]);
    });

    test('with an app, an answer, and what the model would be sent', async () => {
      await view.say('/app-tools');
      await view.app(0);
      await view.composer.fill('What now?');
      expect(await faults()).toEqual([]);
      await show('Inspect');
      await view.openTab('Model');
      await view
        .section(/^Tools on offer/)
        .getByText('set-square')
        .first()
        .waitFor();
      await view.panel.getByText('Everything sent').click();
      await view.panel.getByRole('group', { name: 'Request', exact: true }).waitFor();
      expect(await faults()).toEqual([]);
      await view.openTab('State');
      await view.section('Capabilities').waitFor();
      expect(await faults()).toEqual([]);
    });

    test('with a question about a call, and with what was settled of it', async () => {
      await view.openTab('Model');
      const name = await view
        .section(/^Tools on offer/)
        .locator('h4 code', { hasText: 'set-square' })
        .innerText();
      await show('Chat');
      await view.bar.getByLabel('Run tools without asking').uncheck();
      await view.composer.fill(`/${name} {"mark":"X"}`);
      await view.chat.getByRole('button', { name: 'Send', exact: true }).click();
      const always = view.chat.locator('button:not([aria-disabled="true"])', { hasText: 'Always allow' });
      await always.waitFor();
      expect(await faults()).toEqual([]);
      await always.click();
      await view.settled();
      await show('Inspect');
      await view.openTab('Security');
      await view.section('Remembered choices (1)').waitFor();
      expect(await faults()).toEqual([]);
    });
  },
);

import { describe, expect, test } from 'vitest';
import { page, useSandbox, world } from '../fixture.js';
import { mountApp, waitFor } from '../support.js';
import { eventually } from '../../support/eventually.js';
import { answer, familyVariants, sent, shakeHands, toRewrite, toWidget } from './widget.js';

/*
 * Links of widgets that were not written for a host: they lead to the user's tab, or would end the app.
 */
useSandbox();

const links = `<a id="tab" href="https://maps.example/one?a=b#c" target="_blank"><b>in a tab</b></a>
<a id="away" href="https://maps.example/two">away</a>
<a id="mail" href="mailto:ann@maps.example">mail</a>
<a id="own" href="#part">within</a>
<a id="script" href="javascript:say('ran-link', true)" target="_blank">script</a>
<a id="kept" href="https://maps.example/never" target="_blank">kept</a>
<button id="opens">opens</button>`;
const script = `document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(links).replaceAll('</', '<\\/')});
document.querySelector('#kept').addEventListener('click', (event) => { event.preventDefault(); say('kept', true); });
document.querySelector('#opens').addEventListener('click', () => say('opened', open('https://maps.example/three', 'x') === null));
addEventListener('hashchange', () => say('hash', location.hash));`;

const asked = async (app: Parameters<typeof sent>[0]) =>
  (await sent(app, 'ui/open-link')).map(({ params }) => params);

describe.each(['openai', 'mcp-ui'] as const)('links of family %s', (family) => {
  test.each(Object.entries(familyVariants(family)))('%s are wishes to the host', async (_name, mount) => {
    const app = await mount(toWidget(script));
    await shakeHands(app);
    await waitFor(app, 'ran');
    const guest = await app.guest();
    for (const id of ['tab', 'away', 'mail', 'opens', 'kept', 'own', 'script'])
      await guest.locator(`#${id}`).click();
    expect(await waitFor(app, 'opened')).toBe(true);
    await waitFor(app, 'kept');
    await eventually(() => asked(app)).toEqual([
      { url: 'https://maps.example/one?a=b#c' },
      { url: 'https://maps.example/two' },
      { url: 'mailto:ann@maps.example' },
      { url: 'https://maps.example/three' },
    ]);
    // Neither answer is anybody's business in the document, and it is still there.
    await answer(app, 'ui/open-link', { isError: true });
    await answer(app, 'ui/open-link', {}, 1);
    expect(await guest.locator('#shown').textContent()).toBe('widget');
    expect(await app.said('ran-link')).toEqual([]);
    expect(await app.sandboxMessages('script-error')).toEqual([]);
  });

  test('are also those of a document that wrote itself anew', async () => {
    const html = '<!doctype html><a id="late" href="https://maps.example/late" target="_blank">late</a>';
    const app = await mountApp(page, world, toWidget(toRewrite(html)), { family });
    await shakeHands(app);
    const guest = await app.guest();
    await guest.locator('#late').click();
    await eventually(() => asked(app)).toEqual([{ url: 'https://maps.example/late' }]);
  });
});

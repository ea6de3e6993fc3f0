import { expect, test } from 'vitest';
import { page, useSandbox, world } from '../fixture.js';
import { mountApp, waitFor, type Mounted } from '../support.js';
import { eventually } from '../../support/eventually.js';
import { answer, notify, sent, shakeHands, surroundings, toRewrite, toWidget } from './widget.js';

/*
 * What widgets in the field take for granted beyond the members of `window.openai`.
 */
useSandbox();

const mount = (script: string, before?: string): Promise<Mounted> =>
  mountApp(page, world, toWidget(script, before), { family: 'openai' });

test('a router finds its first page at the root, and a reload there starts the widget again', async () => {
  const app = await mount(`say('path', location.pathname);
    if (!name) { name = 'again'; setTimeout(() => location.reload(), 100); }`);
  await shakeHands(app);
  await answer(app, 'ui/initialize', { protocolVersion: '2026-01-26' }, 1);
  await answer(app, 'ping', {}, 1);
  await eventually(() => app.said('path')).toEqual(['/', '/']);
});

test('the language of the document is the host’s from the first script on, and follows it', async () => {
  const app = await mount(
    `say('first', document.documentElement.lang);
    new MutationObserver(() => say('now', document.documentElement.lang)).observe(document.documentElement, { attributes: true });`,
    '<!doctype html><html lang="en" class="kept"><head><title>x</title></head>',
  );
  await shakeHands(app, { context: { ...surroundings, locale: 'de-CH"><b>' } });
  expect(await waitFor(app, 'first')).toBe('de-CHb');
  await notify(app, 'host-context-changed', { locale: 'fr-CH' });
  expect(await waitFor(app, 'now')).toBe('fr-CH');
});

test('a widget that writes its document anew goes on: it is heard, told and measured', async () => {
  const app = await mount(
    toRewrite(`<!doctype html><style>body{margin:0}</style><div style="height:123px"></div><script>
      addEventListener('openai:set_globals', (event) => say('changed', event.detail.globals));
      settle('called', openai.callTool('after')); throw new Error('still told');</script>`),
  );
  await shakeHands(app);
  await answer(app, 'tools/call', { content: [] });
  await waitFor(app, 'called');
  await notify(app, 'host-context-changed', { theme: 'light' });
  expect(await waitFor(app, 'changed')).toEqual({ theme: 'light' });
  await eventually(async () => (await sent(app, 'ui/notifications/size-changed')).at(-1)?.params).toEqual({
    height: 123,
  });
  await eventually(() => app.sandboxMessages('script-error')).toMatchObject([
    { message: expect.stringContaining('still told') },
  ]);
  await app.post({ jsonrpc: '2.0', id: 'there', method: 'ping' });
  await eventually(() => app.messages()).toContainEqual({ jsonrpc: '2.0', id: 'there', result: {} });
});

import { describe, expect, test } from 'vitest';
import { page, useSandbox, world } from '../fixture.js';
import { mountApp, waitFor, type Mounted } from '../support.js';
import { eventually } from '../../support/eventually.js';
import { answer, notify, refuse, sent, shakeHands, surroundings, toRewrite, toWidget } from './widget.js';

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

describe('the model', () => {
  const tell = (...states: readonly unknown[]): Promise<Mounted> =>
    mount(
      `(async () => { for (const state of ${JSON.stringify(states)}) await openai.setWidgetState(state); say('done', true); })();`,
    );
  const told = async (app: Mounted) =>
    (await sent(app, 'ui/update-model-context')).map(({ params }) => params);

  test('is shown the whole of a state without parts, once per change, and that it is gone', async () => {
    const app = await tell({ picked: 2 }, { picked: 2 }, 'Two picked', null, null);
    await shakeHands(app);
    await answer(app, 'casement/widget-state');
    expect(await answer(app, 'ui/update-model-context')).toEqual({ structuredContent: { picked: 2 } });
    await answer(app, 'casement/widget-state', {}, 1);
    await answer(app, 'casement/widget-state', {}, 2);
    const text = { content: [{ type: 'text', text: 'Two picked' }] };
    expect(await answer(app, 'ui/update-model-context', {}, 1)).toEqual(text);
    await answer(app, 'casement/widget-state', {}, 3);
    expect(await answer(app, 'ui/update-model-context', {}, 2)).toEqual({});
    await answer(app, 'casement/widget-state', {}, 4);
    await waitFor(app, 'done');
    expect(await told(app)).toHaveLength(3);
  });

  test('is shown nothing of a private part, and no longer what a later state leaves out', async () => {
    const app = await tell({ privateContent: 1 }, { modelContent: { a: 1 } }, { privateContent: 2 });
    await shakeHands(app);
    await answer(app, 'casement/widget-state');
    await answer(app, 'casement/widget-state', {}, 1);
    expect(await answer(app, 'ui/update-model-context')).toEqual({ structuredContent: { a: 1 } });
    await answer(app, 'casement/widget-state', {}, 2);
    expect(await answer(app, 'ui/update-model-context', {}, 1)).toEqual({});
    await waitFor(app, 'done');
    expect(await told(app)).toHaveLength(2);
  });

  test('may be kept from it by the host: the state is kept all the same', async () => {
    const app = await tell({ picked: 2 });
    await shakeHands(app);
    await answer(app, 'casement/widget-state');
    await refuse(app, 'ui/update-model-context', 'Too large');
    await waitFor(app, 'done');
    expect(await app.sandboxMessages('script-error')).toEqual([]);
  });

  test('hears of a state the host hands over, from the widget that has it now', async () => {
    const app =
      await mount(`addEventListener('openai:set_globals', ({ detail: { globals } }) => say('changed', globals.widgetState));
      addEventListener('openai:set_globals', ({ detail: { globals } }) => { if (globals.widgetState?.other) settle('back', openai.setWidgetState({ own: 2 })); }, { once: true });
      say('ran', true);`);
    await shakeHands(app);
    await waitFor(app, 'ran');
    const hand = (state: object) => notify(app, 'host-context-changed', { 'casement/widgetState': state });
    await hand({ other: 1 });
    expect(await answer(app, 'ui/update-model-context')).toEqual({ structuredContent: { other: 1 } });
    await answer(app, 'casement/widget-state');
    expect(await answer(app, 'ui/update-model-context', {}, 1)).toEqual({ structuredContent: { own: 2 } });
    await waitFor(app, 'back');
    // What it was handed before is news again, since it has set another itself.
    await hand({ other: 1 });
    expect(await answer(app, 'ui/update-model-context', {}, 2)).toEqual({ structuredContent: { other: 1 } });
    expect(await app.said('changed')).toEqual([{ other: 1 }, { own: 2 }, { other: 1 }]);
  });
});

test('a tool whose answer says so closes the widget that called it', async () => {
  const app = await mount(
    `settle('plain', openai.callTool('plain')); settle('last', openai.callTool('submit'));`,
  );
  await shakeHands(app);
  await answer(app, 'tools/call', { content: [], _meta: { 'openai/closeWidget': false } });
  await waitFor(app, 'plain');
  expect(await sent(app, 'ui/notifications/request-teardown')).toEqual([]);
  await answer(app, 'tools/call', { content: [], _meta: { 'openai/closeWidget': true } }, 1);
  await waitFor(app, 'last');
  expect(await sent(app, 'ui/notifications/request-teardown')).toHaveLength(1);
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

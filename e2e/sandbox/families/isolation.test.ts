import { expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.js';
import { page, useSandbox, world } from '../fixture.js';
import { mountApp, waitFor, type Mounted } from '../support.js';
import { eventually } from '../../support/eventually.js';
import { familyVariants, notify, sent, shakeHands, toWidget } from './widget.js';

useSandbox();

const families = ['mcp-apps', 'openai', 'mcp-ui'] as const;

/** What a document finds around itself, and what becomes of a word of the third family. */
const looks = `say('found', { mcpApp: typeof window.mcpApp, openai: typeof window.openai,
    parent: Object.getOwnPropertyDescriptor(window, 'parent').get !== undefined });
  window.parent.postMessage({ type: 'tool', payload: { toolName: 'asked' } }, '*');`;

const start = async (app: Mounted, family: (typeof families)[number]): Promise<unknown> => {
  if (family !== 'mcp-apps') await shakeHands(app);
  await waitFor(app, 'ran');
  return waitFor(app, 'found');
};

verifies(
  'S1-11',
  'each family has its own global and no other, in a frame and an origin of its own',
  async () => {
    const found = {
      'mcp-apps': { mcpApp: 'undefined', openai: 'undefined', parent: true },
      openai: { mcpApp: 'undefined', openai: 'object', parent: true },
      'mcp-ui': { mcpApp: 'undefined', openai: 'undefined', parent: false },
    };
    const apps = await Promise.all(
      families.map((family) => mountApp(page, world, toWidget(looks), { family })),
    );
    for (const [at, family] of families.entries()) {
      // The index is one of the list the apps were made from.
      const app = apps[at] as Mounted;
      expect(await start(app, family)).toEqual(found[family]);
      if (family === 'mcp-ui') await eventually(() => sent(app, 'tools/call')).toHaveLength(1);
      else {
        // Nobody translates there: the word is none of the host's and ends at the proxy.
        await eventually(() => app.sandboxMessages('dropped')).toEqual([
          { count: 1, reason: 'not-json-rpc' },
        ]);
        expect(await sent(app, 'tools/call')).toEqual([]);
      }
    }
    expect(new Set(apps.map(({ appOrigin }) => appOrigin)).size).toBe(3);
    const shim = await mountApp(page, world, toWidget(looks), { family: 'mcp-apps' }, { shim: true });
    expect(await waitFor(shim, 'found')).toEqual({ mcpApp: 'object', openai: 'undefined', parent: true });
  },
);

test('the host’s word for the shim of one family changes nothing in the others', async () => {
  for (const family of ['openai', 'mcp-ui'] as const) {
    const app = await mountApp(page, world, toWidget(looks), { family }, { shim: true });
    expect(await start(app, family)).toMatchObject({ mcpApp: 'undefined' });
    expect(await sent(app, 'ui/initialize')).toHaveLength(1);
  }
});

test('outside the static file nobody but the policy names the family', async () => {
  const app = await mountApp(page, world, toWidget(looks), { family: 'mcp-apps' }, { family: 'openai' });
  expect(await start(app, 'mcp-apps')).toMatchObject({ openai: 'undefined' });
});

test('neighbours of any family cannot reach each other’s globals or storage, nor speak as the host', async () => {
  const keeps = `localStorage.setItem('mine', 'yes'); say('stored', localStorage.getItem('mine'));
    addEventListener('openai:set_globals', (event) => say('changed', event.detail.globals));`;
  const openai = await mountApp(page, world, toWidget(keeps), { family: 'openai' });
  await shakeHands(openai);
  expect(await waitFor(openai, 'stored')).toBe('yes');
  const spies = `const neighbour = top.frames[0].frames[0];
    const attempt = (reach) => { try { return String(reach()); } catch (error) { return error.name; } };
    say('reached', [() => neighbour.openai, () => neighbour.document, () => neighbour.localStorage, () => localStorage.getItem('mine')].map(attempt));
    neighbour.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: { structuredContent: { forged: true } } }, '*');
    neighbour.postMessage({ jsonrpc: '2.0', id: 'openai-3', result: { forged: true } }, '*');`;
  const spy = await mountApp(page, world, toWidget(spies), { family: 'mcp-ui' });
  await shakeHands(spy);
  expect(await waitFor(spy, 'reached')).toEqual(['SecurityError', 'SecurityError', 'SecurityError', 'null']);
  await notify(openai, 'tool-result', { content: [], structuredContent: { real: true } });
  expect(await waitFor(openai, 'changed')).toMatchObject({ toolOutput: { real: true } });
});

const variantNames = Object.keys(familyVariants('mcp-apps'));

test.each(variantNames)('no timer and no other global of a loader outlives it, %s', async (variant) => {
  const lists = `say('names', Object.getOwnPropertyNames(window).sort()); say('timer', setTimeout(() => {}, 0));`;
  const names: Record<string, unknown> = {};
  for (const family of families) {
    const app = await familyVariants(family)[variant]?.(toWidget(lists));
    if (!app) throw new Error(`There is no variant ${variant}.`);
    if (family !== 'mcp-apps') await shakeHands(app);
    names[family] = await waitFor(app, 'names');
    // The first timer of a document has the number 1.
    expect(await waitFor(app, 'timer')).toBe(1);
  }
  expect(names['mcp-ui']).toEqual(names['mcp-apps']);
  expect(names['openai']).toEqual([...(names['mcp-apps'] as string[]), 'openai'].sort());
});

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.js';
import { page, useHostPage } from '../fixture.js';
import { reaches, recorded } from '../support.js';
import { eventually } from '../../support/eventually.js';
import { closeServer } from '../../support/world.js';
import { inApp, logged, showFamily, snapshotOf, type FamilyPlan } from './show-family.js';

useHostPage();

/** An app as MCP-UI's examples are: it knows its parent alone and its messages. */
const html = `<h1>Hello</h1><script>
  window.heard = [];
  addEventListener('message', (event) => heard.push(event.data));
  window.act = (type, payload, messageId) => window.parent.postMessage({ type, messageId, payload }, '*');
</script>`;

const embed = (resource: Record<string, unknown> = {}) => ({
  type: 'resource',
  resource: { uri: 'ui://inline/1', mimeType: 'text/html', text: html, ...resource },
});

/** A call whose result brought its UI along. */
const toPlan = (resource: Record<string, unknown> = {}, more: FamilyPlan = {}): FamilyPlan => ({
  toolMeta: {},
  toolInput: { city: 'Bern' },
  toolResult: { content: [], structuredContent: { degrees: 21 } },
  ...more,
  options: { embedded: embed(resource), ...more.options },
});

const heard = (type: string): Promise<unknown> =>
  inApp(`return window.heard.filter((message) => message.type === '${type}')`);
const act = (type: string, payload: object, messageId?: string): Promise<unknown> =>
  inApp(`act(...${JSON.stringify([type, payload, messageId ?? null])}.map((value) => value ?? undefined))`);
const answerTo = async (messageId: string): Promise<unknown> => {
  const find = async () =>
    // Of our own translator.
    ((await heard('ui-message-response')) as { messageId: string; payload: object }[]).find(
      (message) => message.messageId === messageId,
    )?.payload;
  await eventually(find).toBeDefined();
  return find();
};

verifies(
  ['S1-04', 'S1-128'],
  'HTML inside a result is shown without a read and is told the call it came from',
  async () => {
    await showFamily(toPlan({ _meta: { 'mcpui.dev/ui-initial-render-data': { page: 3 } } }));
    await eventually(async () => {
      const [last] = ((await heard('ui-lifecycle-iframe-render-data')) as { payload: object }[]).slice(-1);
      return last?.payload;
    }).toMatchObject({
      renderData: {
        page: 3,
        toolInput: { city: 'Bern' },
        toolOutput: { degrees: 21 },
        theme: 'light',
        displayMode: 'inline',
      },
    });
    expect(await inApp('return document.querySelector("h1").textContent')).toBe('Hello');
    expect(await logged('readResource')).toEqual([]);
    expect(await snapshotOf()).toMatchObject({ resource: { family: 'mcp-ui', uri: 'ui://inline/1' } });
  },
);

describe('its actions', () => {
  test('tool calls the server, within what apps may call, and is answered by messageId', async () => {
    const inputSchema = { type: 'object' as const };
    await showFamily(
      toPlan(
        {},
        {
          tools: [
            { name: 'order', inputSchema },
            { name: 'hidden', inputSchema, _meta: { ui: { visibility: ['model'] } } },
          ],
        },
      ),
    );
    await act('tool', { toolName: 'order', params: { count: 2 } }, 'm1');
    expect(await answerTo('m1')).toMatchObject({
      messageId: 'm1',
      response: { structuredContent: { name: 'order', args: { count: 2 } } },
    });
    expect(await heard('ui-message-received')).toMatchObject([{ messageId: 'm1' }]);
    await act('tool', { toolName: 'hidden', params: {} }, 'm2');
    expect(await answerTo('m2')).toHaveProperty('error');
    expect(await logged('callTool')).toEqual([{ name: 'order', args: { count: 2 } }]);
    expect((await snapshotOf())?.findings.map(({ code }) => code)).toContain('tool-not-visible');
  });

  test.each([true, false])('prompt, intent and link are the user’s to decide: %s', async (says) => {
    await showFamily(toPlan({}, { hooks: ['onMessage', 'onOpenLink'], says }));
    const outcome = says ? 'response' : 'error';
    await act('prompt', { prompt: 'Tell me more' }, 'p');
    expect(await answerTo('p')).toHaveProperty(outcome);
    await act('intent', { intent: 'book', params: { seats: 2 } }, 'i');
    expect(await answerTo('i')).toHaveProperty(outcome);
    await act('link', { url: 'https://example.com/more' }, 'l');
    expect(await answerTo('l')).toHaveProperty(outcome);
    expect(await logged('onMessage')).toMatchObject([
      { content: [{ type: 'text', text: 'Tell me more' }] },
      { content: [{ type: 'text', text: expect.stringContaining('book') }] },
    ]);
    expect(await logged('onOpenLink')).toMatchObject([{ url: 'https://example.com/more' }]);
    expect(await logged('opened')).toEqual(says ? ['https://example.com/more'] : []);
  });

  test('notify is a log line, size is a size, data is refused and render data is sent again', async () => {
    await showFamily(toPlan({}, { hooks: ['onLog'] }));
    await act('notify', { message: 'saved' });
    await eventually(() => logged('onLog')).toMatchObject([{ level: 'info', data: 'saved' }]);
    await act('ui-size-change', { height: 321 });
    await eventually(async () => (await snapshotOf())?.size?.height).toBe(321);
    await act('ui-request-data', { requestType: 'user', params: {} }, 'd');
    expect(await answerTo('d')).toHaveProperty('error');
    await act('ui-request-render-data', {}, 'r');
    await eventually(() => heard('ui-lifecycle-iframe-render-data')).toContainEqual(
      expect.objectContaining({ messageId: 'r' }),
    );
    await act('ui-lifecycle-iframe-ready', {});
    await page.evaluate(() => window.hostApps[0]?.app.sendHostContextChanged({ theme: 'dark' }));
    await eventually(async () => JSON.stringify(await heard('ui-lifecycle-iframe-render-data'))).toContain(
      '"theme":"dark"',
    );
  });

  test('in a flood, or of a kind nobody knows, leave the host as it was', async () => {
    await showFamily(toPlan({}, { hooks: ['onMessage', 'onLog'] }));
    await inApp(`for (let at = 0; at < 20_000; at += 1) act('notify', { message: at })`);
    await eventually(async () => (await snapshotOf())?.dropped).toBeGreaterThan(0);
    expect(await page.evaluate(() => document.querySelector('#field') !== null)).toBe(true);
    expect((await logged('onLog')).length).toBeLessThan(20_000);
  });

  test('of prompts in a row that nobody pressed for three are asked, and no more', async () => {
    await showFamily(toPlan({}, { hooks: ['onMessage'] }));
    // The first does not count: what a test does in the frame is an action of the user there.
    for (const id of ['first', 'a', 'b', 'c', 'd']) {
      await act('prompt', { prompt: id }, id);
      expect(await answerTo(id)).toHaveProperty(id === 'd' ? 'error' : 'response');
    }
    await act('nonsense', {}, 'x');
    expect(await logged('onMessage')).toHaveLength(4);
  });
});

describe('a page elsewhere', () => {
  let server: Server;
  let origin = '';
  beforeAll(async () => {
    const site = `<!doctype html><title>site</title><h1>Elsewhere</h1><script>
      addEventListener('message', ({ data }) => { if (data.type === 'ui-lifecycle-iframe-render-data') document.title = data.payload.renderData.toolInput.city; });
      parent.postMessage({ type: 'ui-lifecycle-iframe-ready' }, '*');
      parent.postMessage({ type: 'notify', payload: { message: 'from elsewhere' } }, '*');
    </script>`;
    server = createServer((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(site),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // A TCP server always reports an AddressInfo.
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => closeServer(server));

  test.each(['text/uri-list', 'text/html'])(
    'named in %s is shown after a yes, hears and is heard, at exactly its origin',
    async (mimeType) => {
      await showFamily(
        toPlan(
          { mimeType, text: `${origin}/view` },
          { hooks: ['onExternalUrl', 'onLog'], options: { allowLoopback: true } },
        ),
      );
      const find = () => page.frames().find((frame) => frame.url() === `${origin}/view`);
      await eventually(() => find()?.title()).toBe('Bern');
      expect(await logged('onExternalUrl')).toEqual([
        {
          url: `${origin}/view`,
          origin,
          host: new URL(origin).host,
          server: 'families',
          warnings: ['private-address'],
        },
      ]);
      await eventually(() => logged('onLog')).toMatchObject([{ data: 'from elsewhere' }]);
      const snapshot = await snapshotOf();
      expect(snapshot?.policy?.effective.frame).toEqual([origin]);
      expect(snapshot?.policy?.csp).toContain(`frame-src ${origin};`);
      expect(snapshot?.resource?.url).toBe(`${origin}/view`);
    },
  );

  test('is refused by name without a yes, and for other schemes; no frame is made for it', async () => {
    const cases: readonly (readonly [Record<string, unknown>, FamilyPlan])[] = [
      [{ mimeType: 'text/uri-list', text: `${origin}/view` }, { options: { allowLoopback: true } }],
      [
        { mimeType: 'text/uri-list', text: `${origin}/view` },
        { hooks: ['onExternalUrl'], says: false, options: { allowLoopback: true } },
      ],
      [{ mimeType: 'text/uri-list', text: `${origin}/view` }, { hooks: ['onExternalUrl'] }],
      [{ mimeType: 'text/uri-list', text: 'javascript:alert(1)' }, { hooks: ['onExternalUrl'] }],
      [{ mimeType: 'text/uri-list', text: 'file:///etc/passwd' }, { hooks: ['onExternalUrl'] }],
    ];
    for (const [resource, more] of cases) {
      const index = await showFamily(toPlan(resource, more), 'failed');
      expect((await snapshotOf(index))?.failure).toMatchObject({ code: 'external-refused' });
    }
    expect(await page.locator('iframe').count()).toBe(0);
  });
});

test('Remote DOM is named and refused, with what to do in its place', async () => {
  const mimeType = 'application/vnd.mcp-ui.remote-dom+javascript; framework=react';
  await showFamily(toPlan({ mimeType, text: 'root.append(1)' }), 'failed');
  expect((await snapshotOf())?.failure).toMatchObject({
    code: 'family-unsupported',
    step: 'resource',
    message: expect.stringContaining('Remote DOM'),
    hint: expect.stringContaining('text/html'),
  });
  await page.getByText('This app cannot be shown.').first().waitFor();
});

test('it is closed in order: it is asked, its loader answers for it', async () => {
  await showFamily(toPlan());
  await page.evaluate(() => void window.hostApps[0]?.app.close('done'));
  await reaches(page, 'closed');
  expect(await recorded(page, 'lifecycle')).toContainEqual(
    expect.objectContaining({ type: 'teardown', outcome: 'answered' }),
  );
});

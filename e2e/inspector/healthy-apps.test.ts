import { isRecord } from '@casement/protocol/start';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { toMessages } from '../support/recorded.js';
import { publishedServers } from '../support/server-commands.js';
import { servers } from './servers.js';
import { openInspector, readOptions, type InspectorPage } from './support.js';
import { browser, casement, useCasement } from '../support/use-casement.js';

useCasement({
  'react-2': servers.react,
  'react-1': publishedServers.basicReact1,
  vue: servers.vue,
});

const wasBlocked = async ({ stage }: InspectorPage): Promise<unknown[]> =>
  (await stage.snapshot())?.violations.map(({ blockedUri }) => blockedUri) ?? [];

/** The app's answer to the question whether it is ready to go, as a number of JSON-RPC. */
const farewell = async ({ stage }: InspectorPage): Promise<number | undefined> => {
  const session = (await stage.snapshot())?.session;
  const entries = (await stage.recording()).filter((entry) => entry.session === session);
  const messages = toMessages(entries);
  const asked = entries.find(({ raw }) => isRecord(raw) && raw.method === 'ui/resource-teardown')?.raw;
  const answer = entries.find(
    ({ raw, kind }) =>
      kind === 'response' && isRecord(raw) && isRecord(asked) && raw.id === asked.id && isRecord(raw.error),
  );
  return messages.find(({ seq }) => seq === answer?.seq)?.error?.code;
};

describe.each([
  { server: 'react-2', refusesFarewell: false },
  { server: 'react-1', refusesFarewell: false },
  { server: 'vue', refusesFarewell: true },
])('the healthy app of $server', ({ server, refusesFarewell }) => {
  let inspector: InspectorPage;
  beforeAll(async () => {
    inspector = await openInspector(browser, casement.url, { server, tool: 'get-time', args: {}, run: true });
    await inspector.stage.reaches('ready');
  });
  afterAll(() => inspector?.close());

  test('has no problem in State, Security and on the stage', async () => {
    await eventually(() => inspector.stage.count('app', 'out', 'ui/notifications/tool-result')).toBe(1);
    await eventually(() => wasBlocked(inspector)).toContain('eval');
    await inspector.tab('State').click();
    // The panels are fetched when they are opened first.
    await inspector.section('Model context').waitFor();
    // What the doctor says comes after the app.
    await inspector.panel.getByText(/of 8 stages passed/).waitFor();
    expect(await inspector.panel.innerText()).not.toContain('Findings (');
    await inspector.tab('Security').click();
    await inspector.panel.getByText('Tried, and done without').waitFor();
    const text = await inspector.panel.innerText();
    expect(text).not.toContain('Violations (');
    expect(text).toContain('Nothing the app needed was blocked, as far as can be seen.');
    expect(text).toContain('Tried, and done without');
    expect(text).toContain('No metadata allows eval, new Function or timers with text.');
    expect(await inspector.page.getByRole('list', { name: 'Findings about the app' }).count()).toBe(0);
  });

  test('has no problem in the Timeline, not even when it is closed', async () => {
    await inspector.stage.closeApp();
    await eventually(() => inspector.stage.status()).toBe('closed');
    if (refusesFarewell) await eventually(() => farewell(inspector)).toBe(-32601);
    await inspector.tab('Timeline').click();
    const search = inspector.panel.getByRole('searchbox', { name: 'Search timeline' });
    // What the app's own console says of it is evidence, on no leg.
    await search.fill('leg:app ui/resource-teardown');
    await eventually(async () => (await readOptions(inspector.entries)).length).toBe(2);
    await search.fill('kind:violation');
    await eventually(async () => (await readOptions(inspector.entries)).join()).toContain('eval was blocked');
    await search.fill('is:problem');
    await eventually(() => readOptions(inspector.entries)).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import type { RecordingEntry } from '@casement/protocol';
import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { servers } from './servers.js';
import { openInspector, readOptions, type InspectorPage } from './support.js';
import { browser, casement, useCasement } from '../support/use-casement.js';

let inspector: InspectorPage;

useCasement({ react: servers.react });

beforeAll(async () => {
  inspector = await openInspector(browser, casement.url, {
    server: 'react',
    tool: 'get-time',
    args: {},
    run: true,
  });
  await inspector.stage.reaches('ready');
  // Something the app asks for itself, so that a request crosses both legs.
  await (await inspector.stage.app()).getByRole('button', { name: 'Get Server Time' }).click();
});

const search = () => inspector.panel.getByRole('searchbox', { name: 'Search timeline' });
const toggle = (name: string) => inspector.panel.getByRole('button', { name, exact: true });
const detail = () => inspector.panel.getByRole('region', { name: 'Selected entry' });
const rows = () => readOptions(inspector.entries);
const count = async (): Promise<string> =>
  (await inspector.panel.getByRole('status').innerText()).replaceAll(/\s+/g, ' ');

test('both legs are there: what the app said and what the server said', async () => {
  await search().fill('tools/call');
  const text = async () => (await rows()).join('\n');
  await eventually(text).toMatch(/app to host[\s\S]*tools\/call/);
  await eventually(text).toMatch(/host to server[\s\S]*tools\/call/);
  await eventually(text).toMatch(/server to host[\s\S]*reply\s+tools\/call/);
  await eventually(text).toMatch(/host to app[\s\S]*reply\s+tools\/call/);
});

test('replies carry how long they took and how large they are', async () => {
  await search().fill('kind:response ui/initialize');
  await eventually(rows).toHaveLength(1);
  expect((await rows())[0]).toMatch(/\d+(\.\d+)? m?s · \d+(\.\d+)? (B|KB)/);
});

test('the filters of leg and kind narrow the list, and the count says by how much', async () => {
  await search().fill('');
  await eventually(count).toMatch(/^\d+( entries)?$/);
  await toggle('Server').click();
  expect(await search().inputValue()).toContain('leg:server');
  await eventually(count).toMatch(/^\d+ of \d+( entries)?$/);
  const legs = async () =>
    (await rows()).every((row) => /host to server|server to host|^server/.test(row.trim()));
  await eventually(legs).toBe(true);
  await inspector.panel.getByRole('combobox', { name: 'Kind' }).selectOption('request');
  await eventually(async () => (await rows()).every((row) => row.includes('host to server'))).toBe(true);
  await toggle('Server').click();
  await eventually(() => search().inputValue()).toBe('kind:request');
});

test('a search that nothing fits says so', async () => {
  await search().fill('nothing says this');
  await eventually(() => inspector.panel.innerText()).toContain('No entry fits this filter.');
});

test('from a request to its reply and back, with the whole message in the detail', async () => {
  await search().fill('leg:app kind:request ui/initialize');
  await eventually(rows).toHaveLength(1);
  await inspector.entries.getByRole('option').click();
  const message = async (): Promise<unknown> =>
    JSON.parse((await detail().getByRole('group', { name: 'Message' }).textContent()) ?? '');
  await eventually(message).toMatchObject({
    method: 'ui/initialize',
    params: { protocolVersion: '2026-01-26' },
  });
  await detail().getByRole('button', { name: 'Go to reply' }).click();
  await eventually(message).toMatchObject({ result: { protocolVersion: '2026-01-26' } });
  expect(await detail().getByRole('heading').first().innerText()).toBe('Reply to ui/initialize');
  // The filter asks for requests, so it has to say that it hides the reply.
  expect(await detail().innerText()).toContain('The filter hides this entry.');
  await detail().getByRole('button', { name: 'Go to request' }).click();
  await eventually(message).toMatchObject({ method: 'ui/initialize' });
  await detail().getByRole('button', { name: 'Close detail' }).click();
  await eventually(() => detail().count()).toBe(0);
});

test('the export is the recording, one entry per line', async () => {
  await search().fill('');
  const before = await inspector.stage.recording();
  const download = inspector.page.waitForEvent('download');
  await inspector.panel.getByRole('button', { name: /^Export/ }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toMatch(/\.jsonl$/);
  const lines = readFileSync(await saved.path(), 'utf8')
    .trimEnd()
    .split('\n')
    // Each line was written by the recording, whose entries this type describes.
    .map((line) => JSON.parse(line) as RecordingEntry);
  expect(lines.length).toBeGreaterThan(10);
  expect(new Set(lines.map(({ leg }) => leg))).toEqual(new Set(['app', 'server', 'none']));
  expect(lines.map(({ t }) => t)).toEqual(lines.map(({ t }) => t).toSorted((one, other) => one - other));
  expect(lines).toEqual(expect.arrayContaining(before));
  expect(await inspector.stage.recording()).toEqual(expect.arrayContaining(lines));
});

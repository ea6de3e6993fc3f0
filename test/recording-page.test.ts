import type { Recording, RecordingEntry } from '@casement/protocol';
import { mergeRecordings, parseRecording } from '@casement/protocol';
import { createRecording } from '@casement/protocol/start';
import { expect, test } from 'vitest';
import { readCodes, readPage, readRows, readSection } from './doc-tables.js';
import { readTypes } from './read-types.js';
import { readSource } from './source-files.js';
import { createPageRecording } from '../packages/inspector/src/connection/page-recording.js';

const page = readPage('docs/reference/recording.md');
const [, example = ''] = /^```jsonl\n(.*?)^```/ms.exec(page) ?? [];

const types = readTypes(`
  import type { RecordingEntry } from '@casement/protocol';
  export type Entry = RecordingEntry;
  export type Writer = RecordingEntry['writer'];
  export type Leg = RecordingEntry['leg'];
  export type Direction = RecordingEntry['dir'];
  export type Kind = RecordingEntry['kind'];
`);
const literalsOf = (type: string): string[] => (types.get(type)?.literals ?? []).toSorted();
const membersOf = (heading: string): ReadonlyMap<string, readonly string[]> =>
  new Map(readRows(readSection(page, heading)).map(([name = '', ...rest]) => [readCodes(name).join(), rest]));

test('the page has one row for every member of an entry, with all values that are fixed', () => {
  const rows = membersOf('Format');
  expect([...rows.keys()].toSorted()).toEqual(
    (types.get('Entry')?.members ?? []).map((m) => m.name).toSorted(),
  );
  const fixed = { writer: 'Writer', leg: 'Leg', dir: 'Direction' };
  for (const [member, type] of Object.entries(fixed)) {
    expect(readCodes(rows.get(member)?.join() ?? '').toSorted(), member).toEqual(literalsOf(type));
  }
});

test('the page has one row for every kind of entry and no other', () => {
  const rows = membersOf('Kinds');
  expect([...rows.keys()].toSorted()).toEqual(literalsOf('Kind'));
  for (const [kind, cells] of rows) {
    for (const leg of readCodes(cells.at(-1) ?? '')) expect(literalsOf('Leg'), kind).toContain(leg);
  }
});

test('the example is read by the parser, and what the parser gives is written as the same text', () => {
  const entries = parseRecording(example);
  expect(entries.length).toBeGreaterThan(5);
  expect(entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')).toBe(example);
});

test('a writer makes entries of the form that the example has', () => {
  for (const shown of parseRecording(example)) {
    const { t, writer, session, epoch, leg, dir, kind, raw, normalised } = shown;
    const event: Parameters<Recording['append']>[0] = { session, epoch, leg, dir, kind, raw, normalised };
    const made = createRecording({ writer, now: () => t }).append(event);
    expect({ ...made, seq: shown.seq }).toEqual(shown);
  }
});

test('entries of two writers are merged by time, as the page says', () => {
  const entries = parseRecording(example);
  const of = (writer: RecordingEntry['writer']) => entries.filter((entry) => entry.writer === writer);
  const merged = mergeRecordings(of('page'), of('gateway'), of('page'));
  expect(merged.map(({ writer, seq }) => `${writer} ${seq}`)).toEqual([
    'page 10',
    'page 11',
    'gateway 0',
    'page 12',
    'page 13',
    'page 14',
  ]);
});

test('what the page calls a secret is redacted', () => {
  const recording = createRecording({ writer: 'page' });
  const secrets = {
    token: 'planted-1',
    password: 'planted-1',
    apiKey: 'planted-1',
    authorization: 'planted-1',
    cookie: 'planted-1',
    address: 'https://user:planted-1@host.example/?token=planted-1',
    header: 'Bearer planted-1',
  };
  recording.append({ session: 's', epoch: 1, leg: 'app', dir: 'in', kind: 'notification', raw: secrets });
  expect(recording.toJsonl()).not.toContain('planted-1');
});

test('the inspector’s page keeps as much of both writers together as the page says', () => {
  for (const text of [page, readPage('docs/reference/where-data-is-kept.md')])
    expect(text).toMatch(/100,000 entries or 128 MB/);
  const listeners: ((event: { type: 'recording'; server: string; entry: RecordingEntry }) => void)[] = [];
  const events = {
    opened: Promise.resolve(),
    stream: () => undefined,
    subscribe: (listener: (typeof listeners)[number]) => {
      listeners.push(listener);
      return () => undefined;
    },
  };
  const kept = createPageRecording();
  kept.follow(events);
  const event = { session: 's', epoch: 1, leg: 'server', dir: 'in', kind: 'notification' } as const;
  const tell = (seq: number, raw: unknown): void => {
    const entry: RecordingEntry = { v: 1, seq, t: seq, writer: 'gateway', ...event, raw };
    for (const listener of listeners) listener({ type: 'recording', server: 's', entry });
  };
  for (let seq = 0; seq < 100_009; seq++) tell(seq, seq);
  kept.page.append({ ...event, raw: 'of the page' });
  expect(kept.entries()).toHaveLength(100_000);
  expect(kept.evicted()).toBe(10);
  expect(kept.entries().at(-1)?.writer).toBe('page');
  const text = 'x'.repeat(1024 * 1024);
  for (let seq = 100_009; seq < 100_209; seq++) tell(seq, text);
  const bytes = kept.entries().filter(({ raw }) => raw === text).length;
  expect(bytes).toBe(127);
});

test('the gateway’s limits on the page are those in force', () => {
  const text = readPage('docs/reference/where-data-is-kept.md');
  const source = readSource('packages/gateway/src/gateway.ts');
  expect(text).toContain('5,000 entries or 16 MB');
  expect(source).toContain("writer: 'gateway', maxEntries: 5000, maxBytes: 16 * 1024 * 1024");
});

test('the limits on the page are those in force', () => {
  expect(page).toContain('newest 20,000 entries');
  const recording = createRecording({ writer: 'page' });
  const event = { session: 's', epoch: 1, leg: 'none', dir: 'none', kind: 'lifecycle', raw: 1 } as const;
  for (let count = 0; count < 20_010; count++) recording.append(event);
  expect(recording.entries()).toHaveLength(20_000);
  expect(recording.evicted).toBe(10);

  expect(page).toContain('at most 25,000 values');
  recording.append({ ...event, raw: Array.from({ length: 25_010 }, () => 1) });
  const { raw } = recording.entries().at(-1) ?? {};
  expect(raw).toHaveLength(25_001);
  expect(raw).toContain('[… 10 values left out]');

  recording.append({ ...event, raw: Array.from({ length: 10 }, () => 'x'.repeat(60_000)) });
  const kept = JSON.stringify(recording.entries().at(-1)?.raw).replaceAll(/[^x]/g, '').length;
  expect(kept).toBeLessThanOrEqual(192 * 1024);
});

import { describe, expect, test } from 'vitest';
import { createRecording } from './recording.js';
import { mergeRecordings, parseRecording } from '../index.js';
import type { RecordingEvent } from './recording.js';

const event = (raw: unknown, more: Partial<RecordingEvent> = {}): RecordingEvent => ({
  session: 's1',
  epoch: 0,
  leg: 'app',
  dir: 'in',
  kind: 'request',
  raw,
  ...more,
});

describe('a recording', () => {
  test('numbers, dates and signs what is appended', () => {
    let time = 100;
    const recording = createRecording({ writer: 'page', now: () => time++ });
    expect(recording.append(event({ a: 1 }))).toEqual({
      v: 1,
      seq: 0,
      t: 100,
      writer: 'page',
      session: 's1',
      epoch: 0,
      leg: 'app',
      dir: 'in',
      kind: 'request',
      raw: { a: 1 },
    });
    recording.append(event(undefined, { normalised: { b: 2 } }));
    expect(recording.entries().map(({ seq, t, raw, normalised }) => [seq, t, raw, normalised])).toEqual([
      [0, 100, { a: 1 }, undefined],
      [1, 101, null, { b: 2 }],
    ]);
  });

  test('C21 holds no secret, in entries, events or export', () => {
    const recording = createRecording({ writer: 'gateway' });
    const heard: unknown[] = [];
    recording.subscribe((entry) => heard.push(entry));
    const secret = { headers: { authorization: 'Bearer planted-Secret-1' } };
    recording.append(event(secret, { normalised: secret }));
    const everything = JSON.stringify([recording.entries(), heard]) + recording.toJsonl();
    expect(everything).not.toContain('planted-Secret-1');
    expect(heard).toHaveLength(1);
  });

  test('keeps a copy that later changes do not reach', () => {
    const recording = createRecording({ writer: 'page' });
    const raw = { list: [1] };
    recording.append(event(raw));
    raw.list.push(2);
    expect(recording.entries()[0]?.raw).toEqual({ list: [1] });
  });

  test('forgets the oldest past its number of entries', () => {
    const recording = createRecording({ writer: 'page', maxEntries: 3 });
    for (let i = 0; i < 5_000; i++) recording.append(event(i));
    expect(recording.entries().map((entry) => entry.raw)).toEqual([4997, 4998, 4999]);
    expect(recording.evicted).toBe(4997);
    expect(recording.entries()[0]?.seq).toBe(4997);
  });

  test('forgets the oldest past its bytes, but never the newest', () => {
    const recording = createRecording({ writer: 'page', maxBytes: 10_000 });
    for (let i = 0; i < 100; i++) recording.append(event('x'.repeat(1_000)));
    expect(recording.entries().length).toBeGreaterThan(1);
    expect(recording.entries().length).toBeLessThan(6);
    recording.append(event('y'.repeat(50_000)));
    expect(recording.entries()).toHaveLength(1);
    expect(recording.evicted).toBe(100);
  });

  test('tells its listeners until they leave, and survives one that throws', () => {
    const recording = createRecording({ writer: 'page' });
    const heard: number[] = [];
    recording.subscribe(() => {
      throw new Error('viewer');
    });
    const leave = recording.subscribe((entry) => heard.push(entry.seq));
    recording.append(event(1));
    leave();
    recording.append(event(2));
    expect(heard).toEqual([0]);
  });

  test('takes hostile values', () => {
    const recording = createRecording({ writer: 'page' });
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    let deep: unknown = 1;
    for (let i = 0; i < 20_000; i++) deep = [deep];
    for (const raw of [cyclic, deep, 1n, () => 1, Symbol('x'), new Map()]) recording.append(event(raw));
    expect(parseRecording(recording.toJsonl())).toHaveLength(6);
  });
});

describe('export and import', () => {
  test('give the same entries back', () => {
    const recording = createRecording({ writer: 'page' });
    recording.append(event({ text: 'a\nb\u2028' }, { normalised: { a: 1 } }));
    recording.append(event(null, { kind: 'lifecycle', leg: 'none', dir: 'none' }));
    expect(parseRecording(recording.toJsonl())).toEqual(recording.entries());
    expect(parseRecording('')).toEqual([]);
  });

  test.each([['not json'], ['{}'], ['[]'], ['{"v":2}'], ['null']])(
    'name the line that is wrong: %s',
    (line) => {
      const recording = createRecording({ writer: 'page' });
      recording.append(event(1));
      expect(() => parseRecording(`${recording.toJsonl()}\n${line}\n`)).toThrow(
        expect.objectContaining({ code: 'invalid-message', message: expect.stringContaining('Line 3') }),
      );
    },
  );
});

describe('merging', () => {
  const record = (writer: 'page' | 'gateway', times: number[]) => {
    const left = [...times];
    const recording = createRecording({ writer, now: () => left.shift() ?? 0 });
    for (const time of times) recording.append(event(`${writer} ${time}`));
    return recording.entries();
  };

  test('orders two writers by time', () => {
    const merged = mergeRecordings(record('page', [1, 4, 6]), record('gateway', [2, 3, 6]));
    expect(merged.map((entry) => entry.raw)).toEqual([
      'page 1',
      'gateway 2',
      'gateway 3',
      'page 4',
      'page 6',
      'gateway 6',
    ]);
  });

  test('keeps the order of one writer whose clock was set back', () => {
    const merged = mergeRecordings(record('page', [10, 5, 11]), record('gateway', [7]));
    expect(merged.map((entry) => entry.raw)).toEqual(['gateway 7', 'page 10', 'page 5', 'page 11']);
  });

  test('drops entries that come twice', () => {
    const page = record('page', [1, 2]);
    expect(mergeRecordings(page, page)).toEqual(page);
  });
});

import { parseRecording } from '@casement/protocol';
import { describe, expect, it } from 'vitest';
import { makeManyEntries } from './entries.test-support.js';
import { toJsonlParts } from './export-recording.js';
import { toClock, toDuration, toExportName, toRelative, toSize } from './timeline-format.js';

describe('an exported recording', () => {
  it('is written in parts and reads back as it was', async () => {
    const entries = makeManyEntries(1_201);
    let rests = 0;
    const parts = await toJsonlParts(entries, async () => void rests++);
    expect(rests).toBe(3);
    expect(parseRecording(parts.join(''))).toEqual(entries);
  });

  it('has a name that sorts by time', () => {
    expect(toExportName(Date.UTC(2026, 10, 15, 21, 5, 9))).toBe('casement-2026-11-15-210509.jsonl');
  });
});

describe('figures', () => {
  it('are said as people say them', () => {
    expect([3.4, 999, 1_500, 12_340, 75_000].map(toDuration)).toEqual([
      '3 ms',
      '999 ms',
      '1.50 s',
      '12.3 s',
      '1 min 15 s',
    ]);
    expect([0, 1_023, 1_536, 20_480, 3_145_728].map(toSize)).toEqual([
      '0 B',
      '1023 B',
      '1.5 KB',
      '20 KB',
      '3.0 MB',
    ]);
    expect([1_000, 2_234, 62_005].map((t) => toRelative(t, 1_000))).toEqual([
      '+0.000',
      '+1.234',
      '+1:01.005',
    ]);
    expect(toClock(Date.UTC(2026, 0, 1, 0, 0, 7, 45))).toMatch(/^\d\d:\d\d:07\.045$/);
  });
});

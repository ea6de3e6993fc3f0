import { parseRecording } from '@casement/protocol';
import { describe, expect, it } from 'vitest';
import { makeManyEntries } from './entries.test-support.js';
import { toExportName, writeJsonlParts } from './export-recording.js';

describe('an exported recording', () => {
  it('is written in parts and reads back as it was', async () => {
    const entries = makeManyEntries(1_201);
    let rests = 0;
    const parts = await writeJsonlParts(entries, async () => void rests++);
    expect(rests).toBe(3);
    expect(parseRecording(parts.join(''))).toEqual(entries);
  });

  it('has a name that sorts by time', () => {
    expect(toExportName(Date.UTC(2026, 10, 15, 21, 5, 9))).toBe('casement-2026-11-15-210509.jsonl');
  });
});

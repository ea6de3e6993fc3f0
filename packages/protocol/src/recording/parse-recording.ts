import * as v from 'valibot';
import { CasementError } from '../errors.js';
import { openObject } from '../messages/open-object.js';
import { validate } from '../messages/parse-values.js';

const entrySchema = openObject({
  v: v.literal(1),
  seq: v.number(),
  t: v.number(),
  writer: v.picklist(['page', 'gateway']),
  session: v.string(),
  epoch: v.number(),
  leg: v.picklist(['app', 'server', 'none']),
  dir: v.picklist(['in', 'out', 'none']),
  kind: v.picklist([
    'request',
    'response',
    'notification',
    'invalid',
    'lifecycle',
    'decision',
    'violation',
    'dropped',
    'finding',
    'error',
  ]),
});

/** The fields of an entry that have a fixed shape. */
type EntryFields = v.InferOutput<typeof entrySchema>;

/** One thing that happened; `dir` is seen from the host. Stored values are already redacted. */
export interface RecordingEntry extends Readonly<EntryFields> {
  readonly raw: unknown;
  readonly normalised?: unknown;
}

/** Reads an exported log, one JSON object per line. */
export const parseRecording = (jsonl: string): RecordingEntry[] =>
  jsonl.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const entry = validate(entrySchema, parseJson(line));
    if (!entry.ok) {
      throw new CasementError(
        'invalid-message',
        `Line ${index + 1} is not a recording entry: ${entry.reason}.`,
        {
          hint: 'Only recordings of version 1 can be read.',
        },
      );
    }
    // The schema keeps unknown keys, so raw and normalised are still there.
    const read = entry.value as EntryFields & { raw?: unknown; normalised?: unknown };
    return [{ ...read, raw: read.raw ?? null }];
  });

const parseJson = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

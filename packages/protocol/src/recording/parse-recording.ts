import { CasementError } from '../errors.js';
import { number, oneOf, openObject, text, type Infer } from '../messages/schema.js';
import { validate } from '../messages/parse-values.js';

const entrySchema = openObject({
  v: oneOf(1),
  seq: number,
  t: number,
  writer: oneOf('page', 'gateway'),
  session: text,
  epoch: number,
  leg: oneOf('app', 'server', 'none'),
  dir: oneOf('in', 'out', 'none'),
  kind: oneOf(
    'request',
    'response',
    'notification',
    'invalid',
    'lifecycle',
    'decision',
    'violation',
    'evidence',
    'dropped',
    'finding',
    'error',
  ),
});

/** The fields of an entry that have a fixed shape. */
type EntryFields = Infer<typeof entrySchema>;

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

import { CasementError } from '../errors.js';
import { nextTask } from './next-task.js';

/** How long events are handed on before the page gets its turn. */
const SLICE_MS = 8;

/** More than any event of a gateway, whose messages are bounded. */
const MAX_EVENT_LENGTH = 256 * 1024 * 1024;

/**
 * Creates a cutter of lines out of a text that arrives in pieces; each character is looked at once, whatever the pieces
 * are. Not eventsource-parser 3.x: it searches the rest of a piece again for each line that a carriage return ends.
 */
const createLineCutter = (): ((chunk: string) => string[]) => {
  let begun: string[] = [];
  let afterReturn = false;
  return (chunk) => {
    if (chunk === '') return [];
    // A line feed at the very beginning may be the other half of a line break.
    const text = afterReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk;
    afterReturn = chunk.endsWith('\r');
    const lines = text.split(/\r\n|[\r\n]/);
    const rest = lines.pop() ?? '';
    const [first] = lines;
    if (first !== undefined) {
      lines[0] = [...begun, first].join('');
      begun = [];
    }
    if (rest !== '') begun.push(rest);
    return lines;
  };
};

/** Creates a parser of server-sent events: it takes the next piece of the text and returns the data of each event that ends there. */
export const createEventParser = (maxLength = MAX_EVENT_LENGTH): ((chunk: string) => string[]) => {
  const cut = createLineCutter();
  let data: string[] = [];
  let length = 0;
  return (chunk) => {
    length += chunk.length;
    const events: string[] = [];
    for (const line of cut(chunk)) {
      if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
      else if (line === '' && data.length > 0) {
        events.push(data.join('\n'));
        data = [];
      }
      // What comes after an empty line, or after a line that is no data, belongs to no event yet.
      if (data.length === 0) length = 0;
    }
    if (length > maxLength)
      throw new CasementError('server-garbage', 'The gateway sent an event that does not end.');
    return events;
  };
};

/** How much of a text is cut into lines at once; a browser may hand on megabytes in one part. */
const PIECE_LENGTH = 64 * 1024;

function* toPieces(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += PIECE_LENGTH) yield text.slice(at, at + PIECE_LENGTH);
}

/** Yields each event's JSON; an event that is not JSON is left out. Many at once leave the page time in between. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  maxLength = MAX_EVENT_LENGTH,
): AsyncGenerator<unknown> {
  const parse = createEventParser(maxLength);
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let end = performance.now() + SLICE_MS;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read())
      for (const piece of toPieces(part.value))
        for (const data of parse(piece)) {
          if (performance.now() >= end) {
            await nextTask();
            end = performance.now() + SLICE_MS;
          }
          try {
            yield JSON.parse(data) as unknown;
          } catch {
            continue;
          }
        }
  } finally {
    // Whoever stops reading, or was sent an event without an end, leaves no connection open.
    await reader.cancel().catch(() => undefined);
  }
}

import { createByteStore } from './byte-store.js';

const NEWLINE = 10;
const RETURN = 13;
const LINE_END = Buffer.of(NEWLINE);

/** One server-sent event as it came, line ends made plain and the blank line after it included; or one that is too long. */
type EventFrame =
  { readonly kind: 'event'; readonly bytes: Buffer } | { readonly kind: 'oversize'; readonly bytes: number };

/** Cuts a stream of server-sent events into frames. */
export interface EventReader {
  /** The events that end within this chunk, cut as they are asked for; take them all before the next chunk. */
  push(chunk: Buffer): Generator<EventFrame, void, undefined>;
  /** What came of an event whose end never came. */
  takeRest(): Buffer;
}

/** Creates a reader that holds at most `maxBytes` of one event; of a longer one it tells so at once and again as it goes on. */
export const createEventReader = ({ maxBytes }: { maxBytes: number }): EventReader => {
  const store = createByteStore();
  let lineBytes = 0;
  let afterReturn = false;

  return {
    *push(chunk) {
      let start = 0;
      let feed = chunk.indexOf(NEWLINE);
      let back = chunk.indexOf(RETURN);
      while (start < chunk.length) {
        // Each is looked for again only once it was passed: a text with many of the one and few of the other stays linear.
        if (feed !== -1 && feed < start) feed = chunk.indexOf(NEWLINE, start);
        if (back !== -1 && back < start) back = chunk.indexOf(RETURN, start);
        const end = Math.min(feed === -1 ? chunk.length : feed, back === -1 ? chunk.length : back);
        const part = chunk.subarray(start, end);
        start = end + 1;
        const isSecondHalf = afterReturn && part.length === 0 && chunk[end] === NEWLINE;
        afterReturn = chunk[end] === RETURN;
        if (isSecondHalf) continue;
        store.add(part);
        lineBytes += part.length;
        if (store.length > maxBytes) yield { kind: 'oversize', bytes: store.length };
        if (end === chunk.length) return;
        const isBlank = lineBytes === 0;
        lineBytes = 0;
        // Blank lines between events are not part of any.
        if (isBlank && store.length === 0) continue;
        store.add(LINE_END);
        if (isBlank) yield { kind: 'event', bytes: store.take() };
      }
    },
    takeRest: () => store.take(),
  };
};

/** What an event says. */
export interface EventFields {
  readonly name: string;
  readonly data: string | undefined;
  /** Its lines that are not data. */
  readonly others: readonly string[];
}

/** Reads the lines of one frame. */
export const readEventFields = (frame: Buffer): EventFields => {
  const others: string[] = [];
  const data: string[] = [];
  let name = '';
  for (const line of frame.toString('utf8').split('\n')) {
    if (line === 'data' || line.startsWith('data:')) data.push(toValue(line, 5));
    else if (line !== '') others.push(line);
    if (line.startsWith('event:')) name = toValue(line, 6);
  }
  return { name, data: data.length > 0 ? data.join('\n') : undefined, others };
};

const toValue = (line: string, from: number): string => line.slice(line[from] === ' ' ? from + 1 : from);

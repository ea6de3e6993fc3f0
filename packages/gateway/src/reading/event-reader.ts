import { createByteStore } from './byte-store.js';
import { decodeText } from './decode-text.js';
import { startSlice } from './turns.js';

const NEWLINE = 10;
const RETURN = 13;
const COLON = 58;
const SPACE = 32;
const DATA = Buffer.from('data');
const EVENT = Buffer.from('event');
const LINE_END = Buffer.of(NEWLINE);

/** One server-sent event as it came, line ends made plain and the blank line after it included; or one that is too long. */
type EventFrame =
  { readonly kind: 'event'; readonly bytes: Buffer } | { readonly kind: 'oversize'; readonly bytes: number };

/** Cuts a stream of server-sent events into frames. */
export interface EventReader {
  /** The events that end within this chunk, cut as they are asked for; take them all before the next chunk. */
  push(chunk: Buffer): Generator<EventFrame, void, undefined>;
  /** Takes the bytes of a last event that did not end. */
  takeRest(): Buffer;
}

/** Creates a reader that holds at most `maxBytes` of one event; for a longer one it yields `oversize` at once, and again with each chunk. */
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

/** The fields of one event. */
export interface EventFields {
  readonly name: string;
  readonly data: string | undefined;
  /** Its first lines that are not data. */
  readonly others: readonly string[];
}

/** The same while its data is still bytes. */
type EventBytes = Omit<EventFields, 'data'> & { readonly data: Buffer | undefined };

const MAX_OTHERS = 20;
const LINES_PER_STEP = 2000;

/** Reads the lines of one frame. */
export const readEventFields = (frame: Buffer): EventFields => {
  const steps = readInSteps(frame);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return { ...value, data: value.data?.toString('utf8') };
  }
};

/** The same for a big frame, which may be millions of lines: others have their turns between. */
export const readBigEventFields = async (frame: Buffer): Promise<EventFields> => {
  const steps = readInSteps(frame);
  const slice = startSlice();
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return { ...value, data: value.data && (await decodeText(value.data)) };
    if (slice.isOver) await slice.rest();
  }
};

/** The data is put together as bytes: as texts, short lines would cost many times what they say. */
function* readInSteps(frame: Buffer): Generator<undefined, EventBytes, undefined> {
  const data = Buffer.allocUnsafe(frame.length);
  let length = -1;
  const others: string[] = [];
  let name = '';
  let lines = 0;
  for (let start = 0; start < frame.length;) {
    const feed = frame.indexOf(NEWLINE, start);
    const end = feed === -1 ? frame.length : feed;
    if (isField(frame, start, end, DATA)) {
      // The first line has no line end before it.
      length = length === -1 ? 0 : data.writeUInt8(NEWLINE, length);
      length += frame.copy(data, length, toValueStart(frame, start + DATA.length, end), end);
    } else if (end > start) {
      if (others.length < MAX_OTHERS) others.push(frame.toString('utf8', start, end));
      if (isField(frame, start, end, EVENT))
        name = frame.toString('utf8', toValueStart(frame, start + EVENT.length, end), end);
    }
    start = end + 1;
    lines += 1;
    if (lines % LINES_PER_STEP === 0) yield;
  }
  return { name, data: length === -1 ? undefined : data.subarray(0, length), others };
}

/** A line that is the name of a field, or begins with it and a colon. */
const isField = (frame: Buffer, start: number, end: number, field: Buffer): boolean => {
  if (end - start < field.length) return false;
  for (let at = 0; at < field.length; at += 1) if (frame[start + at] !== field[at]) return false;
  return end === start + field.length || frame[start + field.length] === COLON;
};

/** Where a field's value begins: behind the colon and at most one space. */
const toValueStart = (frame: Buffer, colon: number, end: number): number =>
  Math.min(colon + (frame[colon + 1] === SPACE ? 2 : 1), end);

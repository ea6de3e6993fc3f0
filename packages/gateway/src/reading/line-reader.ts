import { createByteStore } from './byte-store.js';

const EDGE_BYTES = 512;
const NEWLINE = 10;
const RETURN = 13;

/** A line that was refused for its size: only its edges were kept. */
export interface OversizeLine {
  bytes: number;
  head: string;
  tail: string;
}

/** One line of a stream, without its end; blank lines are left out. */
type Line =
  { readonly kind: 'line'; readonly bytes: Buffer } | ({ readonly kind: 'oversize' } & OversizeLine);

/** Cuts a byte stream into lines. */
export interface LineReader {
  /** The lines that end within this chunk, cut as they are asked for; take them all before the next chunk. */
  push(chunk: Buffer): Generator<Line, void, undefined>;
}

/** Creates a reader that never holds more than `maxBytes` of one line; a longer line is skipped to its end and reported. */
export const createLineReader = ({ maxBytes }: { maxBytes: number }): LineReader => {
  const store = createByteStore();
  let bytes = 0;
  let edges: { head: Buffer; tail: Buffer } | undefined;

  const add = (part: Buffer): void => {
    bytes += part.length;
    if (bytes <= maxBytes) store.add(part);
    else {
      const { head, tail } = edges ?? toEdges(store.take());
      edges = { head: toHead(head, part), tail: toTail(tail, part) };
    }
  };

  const finish = (last: Buffer): Line | undefined => {
    // Most lines begin and end within one chunk and are not copied.
    if (bytes === 0 && last.length <= maxBytes) return toLine(last);
    add(last);
    const done = { bytes, edges, line: store.take() };
    bytes = 0;
    edges = undefined;
    if (done.edges === undefined) return toLine(done.line);
    const { head, tail } = done.edges;
    return { kind: 'oversize', bytes: done.bytes, head: head.toString('utf8'), tail: tail.toString('utf8') };
  };

  return {
    *push(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        const line = finish(chunk.subarray(start, end));
        start = end + 1;
        if (line !== undefined) yield line;
      }
      if (start < chunk.length) add(chunk.subarray(start));
    },
  };
};

/** The head is copied: a view into a long line would keep all of it in memory. */
const toEdges = (begun: Buffer) => ({ head: Buffer.from(begun.subarray(0, EDGE_BYTES)), tail: begun });

const toHead = (begun: Buffer, part: Buffer): Buffer =>
  begun.length >= EDGE_BYTES ? begun : Buffer.concat([begun, part.subarray(0, EDGE_BYTES - begun.length)]);

const toTail = (begun: Buffer, part: Buffer): Buffer =>
  Buffer.from(Buffer.concat([begun.subarray(-EDGE_BYTES), part.subarray(-EDGE_BYTES)]).subarray(-EDGE_BYTES));

const toLine = (bytes: Buffer): Line | undefined => {
  const line = bytes.at(-1) === RETURN ? bytes.subarray(0, -1) : bytes;
  return readFirstByte(line) === undefined ? undefined : { kind: 'line', bytes: line };
};

/** The first byte that is no white space; undefined in a blank line. */
export const readFirstByte = (line: Buffer): number | undefined => {
  for (const byte of line) if (byte !== 32 && byte !== 9 && byte !== RETURN) return byte;
  return undefined;
};

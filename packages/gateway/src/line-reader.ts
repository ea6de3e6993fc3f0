const EDGE_BYTES = 512;
const NEWLINE = 10;

/** A line that was refused for its size: only its edges were kept. */
export interface OversizeLine {
  bytes: number;
  head: string;
  tail: string;
}

/** Cuts a byte stream into lines. */
export interface LineReader {
  push(chunk: Buffer): void;
}

/** Creates a reader that never holds more than `maxBytes` of one line; a longer line is skipped to its end and reported. */
export const createLineReader = ({
  maxBytes,
  onLine,
  onOversize,
}: {
  maxBytes: number;
  onLine(line: string): void;
  onOversize(line: OversizeLine): void;
}): LineReader => {
  let parts: Buffer[] = [];
  let bytes = 0;
  let head: Buffer | undefined;
  let tail: Buffer = Buffer.alloc(0);

  const add = (part: Buffer): void => {
    bytes += part.length;
    if (head === undefined && bytes <= maxBytes) {
      parts.push(part);
      return;
    }
    if (head === undefined) {
      const kept = Buffer.concat([...parts, part]);
      head = Buffer.from(kept.subarray(0, EDGE_BYTES));
      tail = Buffer.from(kept.subarray(-EDGE_BYTES));
      parts = [];
      return;
    }
    tail = Buffer.from(Buffer.concat([tail, part.subarray(-EDGE_BYTES)]).subarray(-EDGE_BYTES));
  };

  const finish = (): void => {
    const done = { parts, bytes, head, tail };
    parts = [];
    bytes = 0;
    head = undefined;
    tail = Buffer.alloc(0);
    if (done.head !== undefined) {
      onOversize({ bytes: done.bytes, head: done.head.toString('utf8'), tail: done.tail.toString('utf8') });
      return;
    }
    const line = Buffer.concat(done.parts).toString('utf8').replace(/\r$/, '');
    if (line.trim() !== '') onLine(line);
  };

  return {
    push(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        add(chunk.subarray(start, end));
        finish();
        start = end + 1;
      }
      if (start < chunk.length) add(chunk.subarray(start));
    },
  };
};

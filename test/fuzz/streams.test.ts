import { LINEAR_GROWTH, measureGrowth } from '../count-operations.js';
import { textOf } from './inputs.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineReader } from '../../packages/gateway/src/reading/line-reader.js';
import { createEventParser } from '../../packages/protocol/src/ports/event-stream.js';
import { runs } from './runs.js';

const pieces = [
  'data:',
  'data: ',
  'event: x',
  'id',
  ':',
  '\n',
  '\r',
  '\r\n',
  '\n\n',
  '{"a":1}',
  'é',
  '\u{1f600}',
  ' ',
];

/** Cuts a sequence at the given places. */
const toChunks = <Sequence extends { slice(start: number, end: number): Sequence; length: number }>(
  whole: Sequence,
  cuts: readonly number[],
): Sequence[] => {
  const places = [
    0,
    ...cuts.map((cut) => cut % (whole.length + 1)).sort((left, right) => left - right),
    whole.length,
  ];
  return places.slice(1).map((end, index) => whole.slice(places[index] ?? 0, end));
};

const cutting = fc.array(fc.nat({ max: 5000 }), { maxLength: 12 });

test('events are the same however their stream is cut', () => {
  const read = (chunks: readonly string[]): string[] => {
    const parse = createEventParser();
    return chunks.flatMap((chunk) => parse(chunk));
  };
  fc.assert(
    fc.property(textOf(pieces), cutting, (text, cuts) => {
      const whole = read([text]);
      expect(read(toChunks(text, cuts))).toEqual(whole);
      expect(read(text.split(''))).toEqual(whole);
    }),
    runs(500),
  );
});

const readLines = (chunks: readonly Buffer[], maxBytes: number): unknown[] => {
  const reader = createLineReader({ maxBytes });
  return chunks
    .flatMap((chunk) => [...reader.push(Buffer.from(chunk))])
    .map((line) => (line.kind === 'line' ? line.bytes.toString('latin1') : line));
};

test('byte lines are the same however their stream is cut, and none is longer than allowed', () => {
  fc.assert(
    fc.property(textOf(pieces), cutting, fc.constantFrom(512, 600, 100_000), (text, cuts, maxBytes) => {
      const bytes = Buffer.from(text);
      const whole = readLines([bytes], maxBytes);
      expect(readLines(toChunks(bytes, cuts), maxBytes)).toEqual(whole);
      expect(
        readLines(
          Array.from(bytes, (byte) => Buffer.from([byte])),
          maxBytes,
        ),
      ).toEqual(whole);
      for (const line of whole)
        if (typeof line === 'string') expect(line.length).toBeLessThanOrEqual(maxBytes);
    }),
    runs(500),
  );
});

test('streams of single letters and of many lines are linear work', () => {
  const shapes = ['x', 'data: x\n\n', '\n', '\r', 'data: x\n', 'x'.repeat(600) + '\n'];
  for (const shape of shapes) {
    for (const chunkSize of [1, 3, 1_000_000]) {
      const input = (size: number): string[] =>
        shape.repeat(Math.ceil(size / shape.length)).match(new RegExp(`[^]{1,${chunkSize}}`, 'g')) ?? [];
      const runsOf: Record<string, (chunks: string[]) => unknown> = {
        events: (chunks) => chunks.map(createEventParser()),
        bytes: (chunks) => {
          const reader = createLineReader({ maxBytes: 100_000 });
          for (const chunk of chunks) Array.from(reader.push(Buffer.from(chunk)));
        },
        'bytes of lines too long': (chunks) => {
          const reader = createLineReader({ maxBytes: 64 });
          for (const chunk of chunks) Array.from(reader.push(Buffer.from(chunk)));
        },
      };
      for (const [name, run] of Object.entries(runsOf))
        expect(
          measureGrowth({ input, run, size: 3000 }),
          `${name} of ${JSON.stringify(shape)} by ${chunkSize}`,
        ).toBeLessThan(LINEAR_GROWTH);
    }
  }
});

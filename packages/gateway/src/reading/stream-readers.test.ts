import { describe, expect, test } from 'vitest';
import { createEventReader, readBigEventFields, readEventFields } from './event-reader.js';
import { createLineReader } from './line-reader.js';

/** The same bytes in pieces of one size. */
const toPieces = (text: string, size: number): Buffer[] => {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
};

describe('sec-B7 streams of a server in whatever pieces they arrive', () => {
  test('are cut into the same lines', () => {
    const text = `{"a":"é"}\r\n\n  \nx\n${'y'.repeat(40)}\nlast\nopen`;
    for (let size = 1; size <= text.length; size += 1) {
      const reader = createLineReader({ maxBytes: 30 });
      const lines = toPieces(text, size).flatMap((piece) =>
        [...reader.push(piece)].map((line) =>
          line.kind === 'line' ? line.bytes.toString() : [line.bytes, line.head, line.tail],
        ),
      );
      expect(lines).toEqual(['{"a":"é"}', 'x', [40, 'y'.repeat(40), 'y'.repeat(40)], 'last']);
    }
  });

  test('are cut into the same events', () => {
    const text =
      ': open\n\ndata: {"a":1}\n\n\nevent: x\r\ndata: two\r\ndata:lines\r\n\r\nid: 7\rdata:é\r\rdata: open';
    for (let size = 1; size <= text.length; size += 1) {
      const reader = createEventReader({ maxBytes: 100 });
      const events = toPieces(text, size).flatMap((piece) =>
        [...reader.push(piece)].map((event) => event.kind === 'event' && readEventFields(event.bytes)),
      );
      expect(events).toEqual([
        { name: '', data: undefined, others: [': open'] },
        { name: '', data: '{"a":1}', others: [] },
        { name: 'x', data: 'two\nlines', others: ['event: x'] },
        { name: '', data: 'é', others: ['id: 7'] },
      ]);
      expect(reader.takeRest().toString()).toBe('data: open');
    }
  });
});

test('sec-B1 an event of many lines is read in slices, others having their turns between', async () => {
  const frame = Buffer.from(`event: message\n${'data: 1,\n'.repeat(300_000)}\n`);
  let turns = 0;
  let isRead = false;
  const tick = (): void => {
    turns += 1;
    if (!isRead) setImmediate(tick);
  };
  setImmediate(tick);
  const fields = await readBigEventFields(frame);
  isRead = true;
  expect(turns).toBeGreaterThan(1);
  expect(fields).toEqual({
    name: 'message',
    data: Array.from({ length: 300_000 }, () => '1,').join('\n'),
    others: ['event: message'],
  });
});

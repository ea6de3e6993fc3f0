import { describe, expect, test } from 'vitest';
import { createEventParser, readEvents } from './event-stream.js';

describe('the event stream', () => {
  test('is read in whatever pieces it arrives', () => {
    const text = ': open\n\ndata: {"a":1}\n\nevent: x\r\ndata: two\r\ndata: lines\r\n\r\ndata:{"b":2}\n\n';
    for (let size = 1; size <= text.length; size += 1) {
      const parse = createEventParser();
      const events: string[] = [];
      for (let at = 0; at < text.length; at += size) events.push(...parse(text.slice(at, at + size)));
      expect(events).toEqual(['{"a":1}', 'two\nlines', '{"b":2}']);
    }
  });

  test('is given up when an event does not end', () => {
    for (const piece of ['x', 'data: x\n', ': x']) {
      const parse = createEventParser(100);
      expect(() => Array.from({ length: 101 }, () => parse(piece)), piece).toThrow(/does not end/);
    }
    const parse = createEventParser(100);
    expect(Array.from({ length: 101 }, () => parse('data: x\n\n').length)).not.toContain(0);
  });

  test('yields values and leaves out what is not JSON', async () => {
    const body = new Blob(['data: {"n":"é"}\n\ndata: {oops\n\ndata: 3\n\ndata: "cut']).stream();
    const values: unknown[] = [];
    for await (const value of readEvents(body)) values.push(value);
    expect(values).toEqual([{ n: 'é' }, 3]);
  });
});

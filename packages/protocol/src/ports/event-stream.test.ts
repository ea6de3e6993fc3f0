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

  test('is let go of when it is given up, and when nobody reads on', async () => {
    let cancelled = 0;
    const toBody = (...pieces: string[]): ReadableStream<Uint8Array> =>
      new ReadableStream({
        pull(controller) {
          const piece = pieces.shift();
          if (piece !== undefined) controller.enqueue(new TextEncoder().encode(piece));
        },
        cancel() {
          cancelled += 1;
        },
      });
    const readAll = async (): Promise<void> => {
      for await (const value of readEvents(toBody('data: 1\n\n', 'data: endless'), 10)) expect(value).toBe(1);
    };
    await expect(readAll()).rejects.toThrow(/does not end/);
    expect(cancelled).toBe(1);
    for await (const value of readEvents(toBody('data: 2\n\n'))) {
      expect(value).toBe(2);
      break;
    }
    expect(cancelled).toBe(2);
  });
});

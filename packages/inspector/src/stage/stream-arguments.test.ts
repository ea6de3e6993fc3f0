import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { streamText } from './stream-arguments.js';

const text = '{"city":"Oslo","days":3}';

describe('arguments played as a model writes them', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('grow from the first character to the whole text, without repeating a piece', async () => {
    const told: string[] = [];
    const done = streamText(text, 'slow', (piece) => told.push(piece), new AbortController().signal);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(told.at(-1)?.length).toBeLessThan(text.length);
    await vi.advanceTimersByTimeAsync(5_000);
    await done;
    expect(told.at(-1)).toBe(text);
    expect(told.every((piece) => text.startsWith(piece))).toBe(true);
    expect(new Set(told).size).toBe(told.length);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('stop when the call is called off', async () => {
    const told: string[] = [];
    const abort = new AbortController();
    const done = streamText(text, 'slow', (piece) => told.push(piece), abort.signal);
    await vi.advanceTimersByTimeAsync(200);
    abort.abort();
    await done;
    const before = told.length;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(told.length).toBe(before);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('skip ahead where a pace is faster than the clock ticks', async () => {
    const told: string[] = [];
    const done = streamText(text, 'fast', (piece) => told.push(piece), new AbortController().signal);
    await vi.advanceTimersByTimeAsync(200);
    await done;
    expect(told.length).toBeLessThan(5);
    expect(told.at(-1)).toBe(text);
  });
});

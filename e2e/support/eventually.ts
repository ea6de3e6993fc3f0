import { expect } from 'vitest';

/** Reads again and again until the expectation holds; the limit only catches what never happens. */
export const eventually = <T>(read: () => T | Promise<T>, timeout = 20_000) =>
  expect.poll(read, { timeout, interval: 50 });

import { expect, type TestContext } from 'vitest';

/** `eventually` for a test that runs beside others of its file: only its own context knows which one it is. */
export const eventuallyIn =
  ({ expect: own }: Pick<TestContext, 'expect'>) =>
  <T>(read: () => T | Promise<T>, timeout = 20_000) =>
    own.poll(read, { timeout, interval: 50 });

/** Reads again and again until the expectation holds; the limit only catches what never happens. */
export const eventually = eventuallyIn({ expect });

/** Reads until the value passes; unlike `eventually` it also works while a test file is being set up. */
export const waitUntil = async <T>(
  read: () => T | Promise<T>,
  passes: (value: T) => boolean,
  { what, timeout = 20_000 }: { what: string; timeout?: number | undefined },
): Promise<T> => {
  const end = Date.now() + timeout;
  for (;;) {
    const value = await read();
    if (passes(value)) return value;
    if (Date.now() > end)
      throw new Error(`${what} did not happen; the last value was ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

import { expect, test } from 'vitest';
import { createOnDemand } from './on-demand.js';

/** A part whose loading the test ends, each time one way or the other. */
const createPart = () => {
  const loads: { end(part: string): void; fail(): void }[] = [];
  let told = 0;
  const part = createOnDemand(
    () =>
      new Promise<string>((resolve, reject) => {
        loads.push({ end: resolve, fail: () => reject(new Error('offline')) });
      }),
  );
  part.subscribe(() => (told += 1));
  return { part, loads, getTold: () => told };
};

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

test('nothing is loaded before it is wanted, and it is loaded once for all who want it', async () => {
  const { part, loads, getTold } = createPart();
  expect(loads).toHaveLength(0);
  part.want();
  part.want();
  expect(loads).toHaveLength(1);
  expect(part.get()).toBeUndefined();
  loads[0]?.end('there');
  await settle();
  expect(part.get()).toBe('there');
  expect(getTold()).toBe(1);
  part.want();
  expect(loads).toHaveLength(1);
});

test('after a failure whoever wants it next tries again', async () => {
  const { part, loads, getTold } = createPart();
  part.want();
  loads[0]?.fail();
  await settle();
  expect(part.get()).toBeUndefined();
  expect(getTold()).toBe(0);
  part.want();
  loads[1]?.end('there');
  await settle();
  expect(part.get()).toBe('there');
  expect(getTold()).toBe(1);
});

test('who left is not told', async () => {
  const { part, loads } = createPart();
  let told = 0;
  part.subscribe(() => (told += 1))();
  part.want();
  loads[0]?.end('there');
  await settle();
  expect(told).toBe(0);
});

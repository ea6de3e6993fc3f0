import { parseJSONRPCMessage } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { createIntake } from './intake.js';

const COUNT = 50;

const startIntake = (deliver: (value: unknown) => void) =>
  createIntake({
    limits: { burst: 0, perSecond: 0, floodPerSecond: 1_000_000, maxSeconds: 60 },
    isOpen: () => false,
    takesHeld: () => false,
    deliver,
    onProblem: () => undefined,
    onLeftOut: () => undefined,
    onFlood: () => undefined,
  });

const toUpdate = (at: number, more = {}) => ({
  jsonrpc: '2.0',
  method: 'notifications/resources/updated',
  params: { uri: `file:///${at}`, ...more },
});

/** Something of a handler's work that takes as long as a slice. */
const work = (): void => {
  const end = performance.now() + 4;
  while (performance.now() < end);
};

describe('sec-B7 what was held back in a flood', () => {
  test('is handed on in slices, others having their turns between', async () => {
    const turns: number[] = [];
    let turn = 0;
    const tick = (): void => {
      turn += 1;
      if (turns.length < COUNT) setImmediate(tick);
    };
    await new Promise<void>((resolve) => {
      const intake = startIntake(() => {
        work();
        if (turns.push(turn) === 1) tick();
        if (turns.length === COUNT) resolve();
      });
      for (let at = 0; at < COUNT; at += 1) expect(intake.admits(toUpdate(at))).toBe(false);
    });
    expect(new Set(turns).size).toBeGreaterThan(COUNT / 2);
  });

  test('is never big: of those only the number is kept', async () => {
    const delivered: unknown[] = [];
    await new Promise<void>((resolve) => {
      const intake = startIntake((value) => {
        delivered.push(value);
        resolve();
      });
      for (let at = 0; at < COUNT; at += 1) {
        const big = intake.makeSmall(toUpdate(at, { text: 'x'.repeat(100_000) }), 100_000);
        expect(intake.admits(big)).toBe(false);
      }
      expect(intake.admits(toUpdate(COUNT))).toBe(false);
    });
    expect(delivered).toEqual([toUpdate(COUNT)]);
  });
});

test('sec-B1 of a big message with thousands of members beside those of JSON-RPC one is kept, for which it is refused', () => {
  const others = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`other${at}`, at]));
  const message = { jsonrpc: '2.0', id: 'nobody', result: { a: 1 }, ...others };
  const small = startIntake(() => undefined).makeSmall(message, 300_000) ?? {};
  expect(Object.keys(small)).toEqual(['jsonrpc', 'id', 'result', '(other)']);
  expect(() => parseJSONRPCMessage(small)).toThrow('other');
});

import { describe, expect, test } from 'vitest';
import { createArgumentMemory } from './argument-memory.js';
import { parseJsonArguments, toPrettyArguments } from '../parts/parse-json-arguments.js';

const createStorage = () => {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
};

describe('the last arguments', () => {
  test('are kept for each server and tool', () => {
    const memory = createArgumentMemory(createStorage());
    memory.keep('a', 'b', '{"n":1}');
    memory.keep('a', 'b","c', '{"n":2}');
    expect(memory.recall('a', 'b')).toBe('{"n":1}');
    expect(memory.recall('a', 'b","c')).toBe('{"n":2}');
    expect(memory.recall('b', 'a')).toBeUndefined();
  });

  test('make room for newer ones and are not kept when they are long', () => {
    const memory = createArgumentMemory(createStorage());
    for (let n = 0; n < 150; n++) memory.keep('a', `t${n}`, '{}');
    expect(memory.recall('a', 't0')).toBeUndefined();
    expect(memory.recall('a', 't149')).toBe('{}');
    memory.keep('a', 't149', 'x'.repeat(30_000));
    expect(memory.recall('a', 't149')).toBeUndefined();
  });

  test('a store that holds rubbish or takes nothing only forgets', () => {
    const storage = createStorage();
    storage.setItem('casement.arguments', '[[[');
    expect(createArgumentMemory(storage).recall('a', 'b')).toBeUndefined();
    const full = {
      getItem: () => null,
      setItem: () => {
        throw new Error('full');
      },
    };
    expect(() => createArgumentMemory(full).keep('a', 'b', '{}')).not.toThrow();
  });
});

describe('the text of the arguments', () => {
  test('is an object or a sentence', () => {
    expect(parseJsonArguments('  ')).toEqual({ ok: true, args: {} });
    expect(parseJsonArguments('{"a":[1]}')).toEqual({ ok: true, args: { a: [1] } });
    expect(parseJsonArguments('[1]')).toMatchObject({ ok: false });
    expect(parseJsonArguments('{a')).toMatchObject({
      ok: false,
      reason: expect.stringContaining('not JSON'),
    });
  });

  test('is indented when it can be read', () => {
    expect(toPrettyArguments('{"a":1}')).toBe('{\n  "a": 1\n}');
    expect(toPrettyArguments('{a')).toBe('{a');
  });
});

import { describe, expect, test } from 'vitest';
import type { ConsentKey } from './consent-memory.js';
import { createConsentMemory } from './consent-memory.js';

const key = (server: string, scope = ''): ConsentKey => ({ kind: 'link', server, scope });

const createStorage = (text?: string) => {
  const values = new Map<string, string>(text === undefined ? [] : [['casement.consents', text]]);
  return {
    values,
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => void values.set(name, value),
    removeItem: (name: string) => void values.delete(name),
  };
};

describe('the memory of consents', () => {
  test('knows what it was told, per kind, server and scope, and forgets on demand', () => {
    const memory = createConsentMemory();
    memory.remember(key('a', 'https://example.com'));
    memory.remember({ kind: 'message', server: 'b', scope: '' });
    expect(memory.has(key('a', 'https://example.com'))).toBe(true);
    expect(memory.has(key('a', 'https://example.org'))).toBe(false);
    expect(memory.has(key('b', 'https://example.com'))).toBe(false);
    expect(memory.has({ kind: 'download', server: 'b', scope: '' })).toBe(false);
    memory.forget('a');
    expect(memory.keys()).toEqual([{ kind: 'message', server: 'b', scope: '' }]);
    memory.forget();
    expect(memory.keys()).toEqual([]);
  });

  test('keeps it in a storage, shared with other tabs', () => {
    const storage = createStorage();
    const one = createConsentMemory(storage);
    const other = createConsentMemory(storage);
    one.remember(key('a'));
    one.remember(key('a'));
    expect(other.keys()).toEqual([key('a')]);
    other.forget('a');
    expect(one.has(key('a'))).toBe(false);
    expect(storage.values.size).toBe(0);
  });

  test('is bounded: the oldest goes first', () => {
    const storage = createStorage();
    const memory = createConsentMemory(storage);
    for (let index = 0; index < 600; index += 1) memory.remember(key(`server-${index}`));
    memory.remember(key('x'.repeat(5000)));
    expect(memory.keys()).toHaveLength(500);
    expect([memory.has(key('server-99')), memory.has(key('server-599'))]).toEqual([false, true]);
  });

  test('takes nothing from a storage that holds something else', () => {
    const good = JSON.stringify(key('a'));
    const stored: [string, number][] = [
      ['', 0],
      ['{', 0],
      ['null', 0],
      ['{"kind":"link"}', 0],
      ['[1,null,"x",[],{}]', 0],
      [`[${good},{"kind":"everything","server":"a","scope":""}]`, 1],
      [`[{"kind":"link","server":"","scope":""},{"kind":"link","server":{},"scope":""},${good}]`, 1],
      [`[{"__proto__":{"kind":"link","server":"a","scope":""}}]`, 0],
      [`["${'x'.repeat(3_000_000)}"]`, 0],
    ];
    for (const [text, count] of stored) {
      expect([text.slice(0, 40), createConsentMemory(createStorage(text)).keys().length]).toEqual([
        text.slice(0, 40),
        count,
      ]);
    }
  });

  test('survives a storage that refuses', () => {
    const refuse = (): never => {
      throw new Error('denied');
    };
    const memory = createConsentMemory({ getItem: refuse, setItem: refuse, removeItem: refuse });
    memory.remember(key('a'));
    memory.forget();
    expect([memory.has(key('a')), memory.keys()]).toEqual([false, []]);
  });
});

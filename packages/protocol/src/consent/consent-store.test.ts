import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { createConsentStore, type ConsentKey } from './consent-store.js';

const link = (server: string, scope = ''): ConsentKey => ({ kind: 'link', server, scope });
const tool: ConsentKey = { kind: 'tool', server: 'id-maps', scope: 'move' };

const createStorage = (texts: Readonly<Record<string, string>> = {}) => {
  const values = new Map(Object.entries(texts));
  return {
    values,
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => void values.set(name, value),
    removeItem: (name: string) => void values.delete(name),
  };
};

const texts = (storage: ReturnType<typeof createStorage>): string => [...storage.values.values()].join('\n');

describe('the memory of consents', () => {
  test('knows what it was told, per kind, server and scope, and forgets on demand', () => {
    const memory = createConsentStore();
    memory.remember(link('a', 'https://example.com'));
    memory.remember({ kind: 'message', server: 'b', scope: '' });
    expect(memory.has(link('a', 'https://example.com'))).toBe(true);
    expect(memory.has(link('a', 'https://example.org'))).toBe(false);
    expect(memory.has(link('b', 'https://example.com'))).toBe(false);
    expect(memory.has({ kind: 'download', server: 'b', scope: '' })).toBe(false);
    memory.forget('a');
    expect(memory.keys()).toEqual([{ kind: 'message', server: 'b', scope: '' }]);
    memory.forget();
    expect(memory.keys()).toEqual([]);
  });

  test('keeps what is settled about calls of the model beside it, each setting by itself', () => {
    const storage = createStorage();
    const memory = createConsentStore(storage);
    memory.remember(link('id-maps', 'https://example.com'));
    memory.set({ ...tool, definition: 'as it was' }, 'always');
    memory.set(tool, 'never');
    const again = createConsentStore(storage);
    expect(again.list().map(({ setting }) => setting)).toEqual(['always', 'always', 'never']);
    again.set({ ...tool, definition: 'as it was' }, undefined);
    expect([memory.get(tool), memory.get({ ...tool, definition: 'as it was' })]).toEqual([
      'never',
      undefined,
    ]);
    expect([...storage.values.keys()]).toEqual(['casement.consents']);
  });

  test('is one for all tabs: what is taken back in one holds in none, at once', () => {
    const storage = createStorage();
    let tellOther = (): void => undefined;
    const one = createConsentStore(storage);
    const other = createConsentStore(storage, (listener) => {
      tellOther = listener;
      return () => (tellOther = () => undefined);
    });
    const heard = vi.fn();
    const leave = other.subscribe(heard);
    one.remember(link('a'));
    one.remember(link('a'));
    tellOther();
    expect([other.keys(), heard.mock.calls.length]).toEqual([[link('a')], 1]);
    const list = other.list();
    expect(other.list()).toBe(list);
    one.forget('a');
    expect([other.has(link('a')), other.list()]).toEqual([false, []]);
    leave();
    tellOther();
    expect(heard).toHaveBeenCalledTimes(1);
    expect(storage.values.size).toBe(0);
  });

  test('reads on what earlier versions wrote, under both keys, and writes it as one', () => {
    const storage = createStorage({
      'casement.consents': JSON.stringify([link('a', 'https://example.com')]),
      'casement.approvals': JSON.stringify([{ ...tool, setting: 'never' }]),
    });
    const memory = createConsentStore(storage);
    expect([memory.has(link('a', 'https://example.com')), memory.get(tool), memory.problems()]).toEqual([
      true,
      'never',
      [],
    ]);
    memory.remember(link('b'));
    expect([...storage.values.keys()]).toEqual(['casement.consents']);
    expect(createConsentStore(storage).list()).toHaveLength(3);
    memory.set(tool, undefined);
    expect(createConsentStore(storage).get(tool)).toBeUndefined();
  });

  test('is bounded: the oldest goes first', () => {
    const memory = createConsentStore(createStorage());
    for (let index = 0; index < 510; index += 1) memory.remember(link(`server-${index}`));
    memory.remember(link('x'.repeat(5000)));
    expect(memory.keys()).toHaveLength(500);
    expect([memory.has(link('server-9')), memory.has(link('server-509'))]).toEqual([false, true]);
  });

  test('holds for the page what a closed storage does not take', () => {
    const refuse = (): never => {
      throw new Error('denied');
    };
    const memory = createConsentStore({ getItem: refuse, setItem: refuse, removeItem: refuse });
    memory.remember(link('a'));
    expect(memory.has(link('a'))).toBe(true);
    memory.forget();
    memory.discardUnreadable();
    expect([memory.has(link('a')), memory.keys()]).toEqual([false, []]);
  });
});

describe('a storage that holds something else', () => {
  const good = JSON.stringify(link('a'));
  const stored: readonly (readonly [string, number])[] = [
    ['', 0],
    ['{', 0],
    ['null', 0],
    ['{"kind":"link"}', 0],
    ['[1,null,"x",[],{}]', 0],
    [`[${good},{"kind":"everything","server":"a","scope":""}]`, 1],
    [`[{"kind":"link","server":"","scope":""},{"kind":"link","server":{},"scope":""},${good}]`, 1],
    ['[{"__proto__":{"kind":"link","server":"a","scope":""}}]', 0],
    [`["${'x'.repeat(4_000_000)}"]`, 0],
    [JSON.stringify([{ ...tool, setting: ['always'] }]), 0],
    [JSON.stringify([{ ...tool, definition: null, setting: 'always' }]), 0],
  ];

  test.each(stored)('gives a named finding and loses nothing (%#)', (text, count) => {
    for (const key of ['casement.consents', 'casement.approvals']) {
      const storage = createStorage({ [key]: text });
      const memory = createConsentStore(storage);
      if (key === 'casement.consents') expect(memory.keys()).toHaveLength(count);
      expect(memory.problems()).toMatchObject([{ code: 'consents-unreadable', path: key }]);
      // Reading changes nothing; the first write puts the text aside, the next leaves it there.
      expect(storage.values.get(key)).toBe(text);
      memory.remember(link('new'));
      memory.remember(link('newer'));
      expect([...storage.values.values()].filter((kept) => kept === text)).toHaveLength(1);
      expect([memory.has(link('new')), memory.problems().length]).toEqual([true, 1]);
      memory.discardUnreadable();
      expect([memory.problems(), memory.has(link('newer')), [...storage.values.keys()]]).toEqual([
        [],
        true,
        ['casement.consents'],
      ]);
    }
  });

  test('again and again loses none of it, and in the end is not written over', () => {
    const storage = createStorage();
    const memory = createConsentStore(storage);
    for (let round = 0; round < 12; round += 1) {
      storage.setItem('casement.consents', `broken ${round}`);
      memory.remember(link(`server-${round}`));
      expect(memory.has(link(`server-${round}`))).toBe(true);
      for (let before = 0; before <= Math.min(round, 7); before += 1)
        expect(texts(storage)).toContain(`broken ${before}`);
    }
    expect(storage.values.get('casement.consents')).toBe('broken 11');
  });

  test('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const storage = createStorage({ 'casement.consents': text });
        const memory = createConsentStore(storage);
        memory.remember(link('a'));
        expect(memory.has(link('a'))).toBe(true);
        const isEmptyList = Array.isArray(toJson(text)) && memory.problems().length === 0;
        expect(isEmptyList || texts(storage).includes(text)).toBe(true);
      }),
    );
  });
});

const toJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

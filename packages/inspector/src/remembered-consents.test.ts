import { describe, expect, test } from 'vitest';
import { createRememberedConsents } from './remembered-consents.js';

const createStorage = (initial?: string) => {
  let kept = initial ?? null;
  return { getItem: () => kept, setItem: (_key: string, value: string) => void (kept = value) };
};

const link = { kind: 'link', server: 'a', scope: 'https://example.com' } as const;
const message = { kind: 'message', server: 'a', scope: '' } as const;
const other = { kind: 'message', server: 'b', scope: '' } as const;

describe('what the user decided for good', () => {
  test('is remembered per kind, server and site, and survives the page', () => {
    const storage = createStorage();
    createRememberedConsents(storage).remember(link);
    const later = createRememberedConsents(storage);
    expect(later.has(link)).toBe(true);
    expect(later.has({ ...link, scope: 'https://example.org' })).toBe(false);
    expect(later.has({ ...link, server: 'b' })).toBe(false);
    expect(later.has({ ...link, kind: 'download' })).toBe(false);
  });

  test('can be taken back one by one, by server, and whole', () => {
    const memory = createRememberedConsents(createStorage());
    for (const key of [link, message, other, other]) memory.remember(key);
    expect(memory.keys()).toEqual([link, message, other]);
    memory.takeBack(link);
    expect(memory.keys()).toEqual([message, other]);
    memory.forget('a');
    expect(memory.keys()).toEqual([other]);
    memory.forget();
    expect(memory.keys()).toEqual([]);
  });

  test('ignores what is no decision, and a store that is closed', () => {
    const odd = JSON.stringify([link, { kind: 'everything', server: 'a', scope: '' }, 7, null]);
    expect(createRememberedConsents(createStorage(odd)).keys()).toEqual([link]);
    const closed = {
      getItem: () => '{',
      setItem: () => {
        throw new Error('closed');
      },
    };
    const memory = createRememberedConsents(closed);
    memory.remember(message);
    expect(memory.has(message)).toBe(true);
  });
});

import type { AppSnapshot } from '@casement/host';
import { describe, expect, it, test } from 'vitest';
import { toCapabilityFacts, toContextFacts, toSizeText } from './state-facts.js';

const idle: Pick<AppSnapshot, 'size' | 'displayMode'> = { displayMode: 'inline' };

test('sec-B1 the facts of an app that says megabytes of itself read only what they show', () => {
  let reads = 0;
  const toItem = (): object =>
    Object.defineProperty({}, 'x', { enumerable: true, get: () => ((reads += 1), 'y') });
  const items = Array.from({ length: 100_000 }, toItem);
  const named = Object.fromEntries(items.map((item, index) => [`n${index}`, item]));
  const facts = toCapabilityFacts({
    experimental: { items, named, deep: { a: { b: { c: { d: items } } } } },
  });
  expect(facts).toHaveLength(1);
  expect(facts[0]?.[1].length).toBeLessThan(500);
  expect(reads).toBeLessThan(2_000);
});

test('the facts of capabilities are names, with what is said of them', () => {
  expect(
    toCapabilityFacts({ tools: { listChanged: true }, message: { text: {}, image: {} }, modes: ['a', 'b'] }),
  ).toEqual([
    ['tools', 'listChanged'],
    ['message', 'text, image'],
    ['modes', 'a b'],
  ]);
});

describe('facts about a session', () => {
  it('name capabilities and say more only where there is more', () => {
    expect(toCapabilityFacts({ logging: {}, tools: { listChanged: true }, x: undefined, y: true })).toEqual([
      ['logging', 'yes'],
      ['tools', 'listChanged'],
      ['y', 'yes'],
    ]);
    const sandbox = {
      csp: { connectDomains: ['https://a.example'], frameDomains: [] },
      permissions: { camera: {} },
    };
    expect(toCapabilityFacts({ sandbox })).toEqual([
      ['sandbox', 'csp (connectDomains: https://a.example, frameDomains: none), permissions (camera)'],
    ]);
    expect(toCapabilityFacts(undefined)).toEqual([]);
  });

  it('count style variables instead of listing them', () => {
    const styles = { variables: { '--font-sans': 'a', '--font-mono': 'b' } };
    expect(toContextFacts({ theme: 'dark', styles, availableDisplayModes: ['inline', 'pip'] })).toEqual([
      ['theme', 'dark'],
      ['styles', '2 variables'],
      ['availableDisplayModes', 'inline, pip'],
    ]);
  });

  it('tell which axes of a size are followed', () => {
    expect(toSizeText({ ...idle, size: { height: 40 } })).toBe('height 40 px as asked, width of the page');
    expect(toSizeText(idle)).toBe(
      'the page’s: the app has not asked for one by ui/notifications/size-changed',
    );
    expect(toSizeText({ ...idle, displayMode: 'pip', size: { height: 40 } })).toMatch(/not followed in pip/);
  });
});

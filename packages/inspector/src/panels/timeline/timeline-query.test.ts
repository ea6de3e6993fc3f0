import { describe, expect, it } from 'vitest';
import { createEntryMaker } from './entries.test-support.js';
import { toJsonSize, toSearchText } from './search-text.js';
import { parseQuery, toggleTerm, toMatcher, withKind } from './timeline-query.js';
import { toRow } from './timeline-row.js';

const make = createEntryMaker();
const call = toRow(
  make({
    kind: 'request',
    raw: { id: 1, method: 'tools/call', params: { name: 'Forecast', arguments: { city: 'Zürich' } } },
  }),
);
const finding = toRow(
  make({ leg: 'none', dir: 'none', kind: 'finding', raw: { code: 'metadata-type', message: 'Wrong' } }),
);
const isMatch = (query: string, row = call): boolean => toMatcher(parseQuery(query))(row);

describe('the timeline query', () => {
  it.each([
    ['', true],
    ['forecast', true],
    ['zürich', true],
    ['CALL city', true],
    ['"name forecast"', true],
    ['"forecast name"', false],
    ['leg:app', true],
    ['leg:server', false],
    ['leg:server leg:app', true],
    ['kind:request', true],
    ['kind:response', false],
    ['kind:response kind:request forecast', true],
    ['is:problem', false],
    ['nowhere', false],
    ['forecast nowhere', false],
    ['leg:nowhere', false],
  ])('%s', (query, expected) => {
    expect(isMatch(query)).toBe(expected);
  });

  it('finds problems and the host’s own entries', () => {
    expect(isMatch('is:problem leg:host metadata-type', finding)).toBe(true);
    expect(isMatch('leg:app', finding)).toBe(false);
  });

  it('is edited term by term and keeps the rest as it was typed', () => {
    expect(toggleTerm('Some "two words"', 'leg:app')).toBe('Some "two words" leg:app');
    expect(toggleTerm('Some LEG:app "two words"', 'leg:app')).toBe('Some "two words"');
    expect(withKind('a kind:request b kind:error', 'violation')).toBe('a b kind:violation');
    expect(withKind('a kind:request', '')).toBe('a');
  });

  it('reads no more of a huge message than it may, and not its prototype', () => {
    expect(toSearchText({ a: 'X'.repeat(50), b: 'never' }, 20)).toBe(`a ${'x'.repeat(18)}`);
    expect(toSearchText([[1, true, null], { k: undefined }])).toBe('1 true null k');
  });

  it.each([
    [{ a: 'ü"\n', b: [1, null, 'x'], c: {} }],
    ['plain'],
    [[]],
    [{}],
    [{ a: [[], {}] }],
    ['語'.repeat(10)],
  ])('counts the bytes of %j as JSON would write them', (value) => {
    const exact = new TextEncoder().encode(JSON.stringify(value)).length;
    expect(Math.abs(toJsonSize(value).bytes - exact)).toBeLessThanOrEqual(2);
  });
});

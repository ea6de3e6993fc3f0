import { describe, expect, test } from 'vitest';
import { findNearest } from './find-nearest.js';

describe('the nearest names', () => {
  test('are those that differ by a slip, nearest first', () => {
    expect(findNearest('serevr', ['cat', 'servers', 'server'])).toEqual(['server']);
    expect(findNearest('ui://weather/app.html', ['ui://wether/app.html', 'ui://weather/app'])).toEqual([
      'ui://wether/app.html',
      'ui://weather/app',
    ]);
  });

  test('two long words that share a beginning are two words', () => {
    const stem = 'ui://server/'.padEnd(100, 'a');
    expect(findNearest(`${stem}one-thing`, [`${stem}quite-another`])).toEqual([]);
  });
});

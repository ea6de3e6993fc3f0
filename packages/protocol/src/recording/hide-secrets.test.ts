import { LINEAR_GROWTH, measureGrowth } from '../../../../test/count-operations.js';
import { describe, expect, test } from 'vitest';
import { hideSecrets } from './hide-secrets.js';

/** Everything a search begins with, looks for or stops at, and the beginnings of what it would find. */
const pieces = [
  '-',
  '-eyJaaaaaa',
  '-eyJaaaaaa.',
  'eyJaaaaaa.a.',
  'eyJaaaaaa.aaaaaa-',
  'sk-',
  'sk-.',
  'ghp_',
  'github_pat_-',
  'xoxb-a.',
  'AKIAA',
  'http://',
  '://',
  'a://@',
  'a://b@c',
  '=',
  'key=',
  '--',
  '--key=',
  '?token',
  '?token=',
  '?a=',
  'Bearer ',
  'Bearer aaaaaa ',
  'Basic -Bearer ',
  'a',
  ' ',
];

describe('sec-B1 twice the text costs twice the work', () => {
  test.each(pieces)('%j over and over', (piece) => {
    const growth = measureGrowth({
      input: (size) => piece.repeat(size),
      run: (text) => hideSecrets(text),
    });
    expect(growth).toBeLessThan(LINEAR_GROWTH);
  });

  test.each(pieces)('many of %j, then one long word', (piece) => {
    for (const link of ['', '.', '.aaaaaa.', '=', '://', ' ']) {
      const growth = measureGrowth({
        input: (size) => `${piece.repeat(size)}${link}${'a'.repeat(10 * size)}`,
        run: (text) => hideSecrets(text, true),
        size: 500,
      });
      expect(growth).toBeLessThan(LINEAR_GROWTH);
    }
  });
});

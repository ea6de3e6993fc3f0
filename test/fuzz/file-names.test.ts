import { expectLinearText, textOf } from './inputs.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toSafeFileName } from '../../packages/host/src/core/handlers/safe-file-name.js';
import { runs } from './runs.js';

const pieces = [
  ...[
    'file:///',
    'ui://',
    '/',
    '\\',
    '%2f',
    '%5c',
    '..',
    '.',
    ' ',
    'a',
    'é',
    '.exe',
    '.js',
    '.lnk',
    '.txt',
    '.pdf',
    '.tar',
    '.gz',
  ],
  ...[
    'con',
    'nul',
    'com1',
    ':',
    '?',
    '#',
    '%',
    '%00',
    '\u202e',
    '\u200b',
    '\u{1f600}',
    '.desktop',
    '.EXE',
    '.AppImage',
  ],
];
const types = ['', 'text/html', 'application/pdf', 'x/y', 'application/x-msdownload'];

test('a file name is one harmless part, however it was written', () => {
  fc.assert(
    fc.property(textOf(pieces, 12), fc.constantFrom(...types), (uri, type) => {
      const name = toSafeFileName(uri, type);
      expect(name).not.toBe('');
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
      expect(name).not.toMatch(/[/\\<>:"|?*\p{C}]/u);
      expect(name).not.toMatch(/^[. ]|[. ]$/);
      expect(name).not.toMatch(/\.(?:exe|js|lnk|desktop|appimage|bat|cmd|com|scr|hta|jar|chm|rdp|iso)$/i);
      expect(name).not.toMatch(/^(?:con|nul|aux|prn|com\d|lpt\d)(?:\.|$)/i);
      expect(toSafeFileName(encodeURIComponent(name), type)).toBe(name);
    }),
    runs(1000),
  );
});

test('making a file name is linear work', () => {
  expectLinearText(pieces, (uri) => toSafeFileName(uri));
  expectLinearText(pieces, (type) => toSafeFileName('x', type));
});

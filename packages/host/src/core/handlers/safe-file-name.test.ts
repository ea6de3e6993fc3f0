import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toSafeFileName } from './safe-file-name.js';

const bytesOf = (name: string): number => new TextEncoder().encode(name).length;

describe('sec-B8 a name too long to be saved as it is', () => {
  test('is judged by the ending it is saved with', () => {
    for (const ending of ['exe', 'desktop', 'lnk']) {
      for (let length = 180; length < 210; length += 1) {
        for (const tail of ['', 'é'.repeat(200), `${'é'.repeat(3)}.pdf`, ' '.repeat(40), '.'.repeat(300)]) {
          const name = toSafeFileName(`file:///${'a'.repeat(length)}.${ending}${tail}`);
          expect(name).toMatch(/\.(?:txt|pdf)$/);
          expect(bytesOf(name)).toBeLessThanOrEqual(200);
        }
      }
    }
  });

  test('is judged by its end, however long it is', () => {
    expect(toSafeFileName(`file:///${'a'.repeat(1e6)}.exe`)).toMatch(/^a+\.txt$/);
    expect(toSafeFileName(`file:///${'a'.repeat(1e6)}.png`)).toMatch(/^a+\.png$/);
  });
});

describe('sec-W10 a file that does something when it is opened', () => {
  const endings = [
    ...[
      'js',
      'mjs',
      'vb',
      'ws',
      'wsc',
      'sct',
      'msc',
      'chm',
      'rdp',
      'iso',
      'img',
      'inetloc',
      'fileloc',
      'scpt',
    ],
    ...[
      'pyw',
      'py',
      'AppImage',
      'EXE',
      'desktop',
      'url',
      'lnk',
      'html',
      'htm',
      'xhtml',
      'mht',
      'docm',
      'xls',
      'sh',
    ],
    ...[
      'dmg',
      'pkg',
      'deb',
      'rpm',
      'apk',
      'ps1',
      'cmd',
      'reg',
      'inf',
      'ini',
      'jar',
      'one',
      'xll',
      'theme',
      'search-ms',
    ],
  ];

  test.each(endings)('is saved as text: .%s', (ending) => {
    expect(toSafeFileName(`file:///invoice.${ending}`)).toBe(`invoice.${ending}.txt`);
    expect(toSafeFileName(`file:///invoice.pdf .${ending}`)).toBe(`invoice.pdf .${ending}.txt`);
    expect(toSafeFileName(`file:///invoice.${ending} . .`)).toBe(`invoice.${ending}.txt`);
    expect(toSafeFileName(`file:///invoice.txt:run.${ending}`)).toBe(`invoice.txt_run.${ending}.txt`);
    expect(toSafeFileName(`file:///invoice.${ending}%E3%85%A4%E2%80%8B`)).toBe(`invoice.${ending}.txt`);
  });

  test('what apps export keeps its name', () => {
    for (const name of [
      'a.csv',
      'a.json',
      'a.md',
      'a.PDF',
      'a.png',
      'a.svg',
      'a.xlsx',
      'a.tar.gz',
      'a.ics',
      'a.mp4',
    ])
      expect(toSafeFileName(`file:///${name}`)).toBe(name);
  });

  test('a name without an ending gets that of a harmless type, and of no other', () => {
    expect(toSafeFileName('ui://chart/image', 'image/png')).toBe('image.png');
    expect(toSafeFileName('ui://chart/page', 'text/html; charset=utf-8')).toBe('page.txt');
    expect(toSafeFileName('ui://chart/setup', 'application/x-msdownload')).toBe('setup');
    expect(toSafeFileName('ui://chart/con', 'image/png')).toBe('_con.png');
  });

  test('a device of Windows is no file, whatever follows it', () => {
    for (const name of ['con', 'NUL', 'com1.txt', 'conin$', 'LPT9.tar.gz'])
      expect(toSafeFileName(`file:///${name}`)).toBe(`_${name}`);
  });
});

describe('any name', () => {
  const pieces = fc.constantFrom(
    ...[
      'a',
      '.',
      ' ',
      '..',
      '.exe',
      '.txt',
      '.tar',
      '.gz',
      'con',
      '%2e',
      '%',
      '%41',
      '#',
      '?',
      '/',
      '\\',
      ':',
      'é',
    ],
    ...[
      'e\u0301',
      '\u200d',
      '\u202e',
      '\u3164',
      '\ud800',
      '\u{1f600}',
      '\u0000',
      '\n',
      'x'.repeat(90),
      '☀'.repeat(50),
    ],
  );
  const names = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('')),
  );

  test('becomes a short and harmless one that stays as it is', () => {
    fc.assert(
      fc.property(names, fc.constantFrom('', 'image/png', 'text/html'), (uri, type) => {
        const name = toSafeFileName(uri, type);
        expect(toSafeFileName(name)).toBe(name);
        expect(bytesOf(name)).toBeLessThanOrEqual(200);
        expect(name).not.toMatch(/^[. ]|[. ]$|[/\\:\p{C}]|^$/u);
        expect(name).toMatch(/^[^.]+$|\.(?:txt|gz|tar|png)$/);
      }),
      { numRuns: 1000 },
    );
  });

  test('sec-W16 is cut before it is worked on, so that its length costs nothing but the cutting', () => {
    // An expression that tries at every character would not be done before this test ends.
    const hard = [' ', '.', '. ', ' .a', 'a.', 'a ', '%41', '\u202e', '/', '\\'];
    for (const piece of hard) {
      const name = toSafeFileName(`a${piece.repeat(600_000 / piece.length)}a`);
      expect(bytesOf(name)).toBeLessThanOrEqual(200);
    }
  });
});

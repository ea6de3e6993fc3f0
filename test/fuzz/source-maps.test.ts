import { expectLinearText, expectLinearValues, textOf, valueOf } from './inputs.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  examineSource,
  readStackPlaces,
  type SourceOutcome,
} from '../../packages/checks/src/source-map/index.js';
import { runs } from './runs.js';

const base = 'ui://fuzz/app.html';
const number = fc.oneof(
  fc.integer({ min: -2, max: 40 }),
  fc.constantFrom(0.5, 1e9, Number.NaN, Infinity, 2 ** 53),
);
const place = fc.record({ line: number, column: fc.option(number, { nil: undefined }) });

const htmlPieces = [
  ...['<script>', '<script ', '</script>', '</SCRIPT ', '<!--', '-->', '<style>', '</style>', '<textarea>'],
  ...[' src=x', ' type="module"', ' type=text/json', '="', "='", '>', '\n', '\r\n', '\u2028', 'throw x;'],
  ...['//# sourceMappingURL=a.map\n', '//# sourceMappingURL=', 'data:application/json,', '%7B%7D', '/*# '],
  ...['//# sourceURL=a.js\n', ' */', 'file:///a', 'https://a.test/b'],
];
const mapPieces = [
  'A',
  'C',
  'D',
  'g',
  'AAAA',
  'ACAC',
  'AADA',
  ',',
  ';',
  ';;;',
  'é',
  '!',
  'ggggggg',
  '/',
  '+',
];

const expectWellFormed = ({ original, written, refusal, elsewhere }: SourceOutcome): void => {
  expect(Boolean(original ?? refusal ?? elsewhere)).toBe(true);
  if (refusal) expect(refusal.reason.length * refusal.nextStep.length).toBeGreaterThan(0);
  if (elsewhere?.address.kind === 'resource') expect(elsewhere.address.uri).toMatch(/^ui:/);
  if (elsewhere?.address.kind === 'fetch') expect(elsewhere.address.url).toMatch(/^https?:/);
  for (const found of [original, written]) {
    if (!found) continue;
    expect(found.file.length).toBeLessThanOrEqual(300);
    expect(found.lines.length).toBeLessThanOrEqual(7);
    for (const { text, mark = 0 } of found.lines) {
      expect(text.length).toBeLessThanOrEqual(200);
      expect(mark).toBeGreaterThanOrEqual(0);
      expect(mark).toBeLessThanOrEqual(text.length);
    }
  }
};

const toMap = (mappings: string): string =>
  JSON.stringify({ version: 3, sources: ['a', 'b'], sourcesContent: ['x\n'.repeat(9), null], mappings });

test('whatever a document holds, a place leads to lines or to a refusal', () => {
  fc.assert(
    fc.property(textOf(htmlPieces), place, fc.string(), (html, at, message) => {
      expectWellFormed(examineSource({ task: 'document', html, base, place: at, message }));
      expectWellFormed(
        examineSource({ task: 'document', html, base, place: at, message, counting: 'script', name: 'a.js' }),
      );
      expectWellFormed(
        examineSource({ task: 'script', script: html, base: 'https://a.test/b.js', place: at }),
      );
    }),
    runs(1000),
  );
});

test('whatever a map holds, a place leads to a source or to a refusal', () => {
  const at = fc.record({ line: fc.integer({ min: 1, max: 9 }), column: fc.nat(40) });
  fc.assert(
    fc.property(textOf(mapPieces), at, (mappings, where) => {
      expectWellFormed(examineSource({ task: 'map', map: { text: toMap(mappings) }, place: where }));
      expectWellFormed(examineSource({ task: 'map', map: { text: mappings }, place: where }));
      expectWellFormed(examineSource({ task: 'map', map: { base64: mappings }, place: where }));
    }),
    runs(1000),
  );
  const keys = [
    'version',
    'mappings',
    'sources',
    'sourcesContent',
    'sourceRoot',
    'sections',
    'offset',
    'map',
  ];
  fc.assert(
    fc.property(valueOf([...keys, 'line', 'column', 'url'], ['AAAA', 'x']), at, (value, where) => {
      const text = JSON.stringify(value) ?? '';
      expectWellFormed(examineSource({ task: 'map', map: { text }, place: where }));
    }),
    runs(1000),
  );
});

test('finding a script and its map is linear work', () => {
  const read = (html: string, line: number): SourceOutcome =>
    examineSource({ task: 'document', html, base, place: { line, column: 3 }, message: 'throw x' });
  expectLinearText(htmlPieces, (html) => read(html, 1));
  expectLinearText(htmlPieces, (html) => read(html, 30));
});

test('finding a place in a map is linear work', () => {
  const read = (text: string): SourceOutcome =>
    examineSource({ task: 'map', map: { text }, place: { line: 2, column: 3 } });
  expectLinearText(mapPieces, (mappings) => read(toMap(mappings)));
  const map = { version: 3, sources: ['a'], sourcesContent: ['x'], mappings: ';AAAA' };
  for (const key of ['sections', 'sources', 'sourcesContent', 'mappings'])
    expectLinearValues((value) => read(JSON.stringify({ ...map, [key]: value })));
});

test('reading a stack is linear work', () => {
  expectLinearText(['at x (a:1:2)\n', 'b@c:3:4\n', ':1', '(', '@', ' ', '\n', 'eval at '], readStackPlaces);
});

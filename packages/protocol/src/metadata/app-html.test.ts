import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { CasementError } from '../errors.js';
import { readAppHtml } from '../resource.js';

const uri = 'ui://weather/dashboard';
const mimeType = 'text/html;profile=mcp-app';
const item = { uri, mimeType, text: '<h1>Grüezi 🌤</h1>' };
const toBlob = (text: string) => Buffer.from(text, 'utf8').toString('base64');

const failure = (contents: unknown, limits?: { maxBytes: number }, asked = uri): CasementError => {
  try {
    readAppHtml(contents, asked, limits);
  } catch (error) {
    if (error instanceof CasementError) return error;
    throw error;
  }
  throw new Error('It was accepted.');
};
const codes = (contents: unknown) => readAppHtml(contents, uri).findings.map((finding) => finding.code);

verifies('S1-90', 'text is returned as it is, with its item', () => {
  expect(readAppHtml([item], uri)).toEqual({
    html: item.text,
    mime: mimeType,
    family: 'mcp-apps',
    item,
    findings: [],
  });
  expect(readAppHtml({ contents: [item] }, uri).html).toBe(item.text);
});

verifies('S1-90', 'D12 a base64 blob is UTF-8', () => {
  const { text, ...rest } = item;
  expect(readAppHtml([{ ...rest, blob: toBlob(text) }], uri).html).toBe(text);
});

test.each([
  ['not base64', '***'],
  ['cut off', 'PGgxPg=a'],
  ['not UTF-8', Buffer.from([0x3c, 0xff, 0xfe]).toString('base64')],
])('D12 a blob that is %s is named', (_name, blob) => {
  const error = failure([{ uri, mimeType, blob }]);
  expect(error).toMatchObject({ code: 'resource-undecodable', step: 'resource' });
  expect(error.hint).toBeTruthy();
});

describe('D09 media types', () => {
  test.each([
    ['text/html+mcp', 'mcp-apps'],
    ['text/html+skybridge', 'openai'],
  ])('%s is accepted as %s with a finding that names today’s type', (type, family) => {
    const read = readAppHtml([{ ...item, mimeType: type }], uri);
    expect(read.family).toBe(family);
    expect(read.findings).toEqual([
      expect.objectContaining({ code: 'legacy-mime', fix: expect.stringContaining(mimeType) }),
    ]);
  });

  test.each([
    ['text/html'],
    ['image/svg+xml'],
    [undefined],
    [5],
    ['text/uri-list'],
    ['text/html;profile=x\u202E\0'],
  ])('S2-36 %s is refused with a reason and a hint', (type) => {
    const error = failure([{ ...item, mimeType: type }]);
    expect(error).toMatchObject({
      code: 'resource-mime',
      step: 'resource',
      hint: expect.stringContaining(mimeType),
    });
    expect(error.message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});

describe('D11 the content item', () => {
  test.each([[[]], [undefined], [null], ['x'], [{}], [{ contents: [] }], [[null, 'x']]])(
    '%j is empty',
    (contents) => {
      expect(failure(contents)).toMatchObject({ code: 'resource-empty' });
    },
  );

  test.each([
    ['empty text', { ...item, text: '' }],
    ['blank text', { ...item, text: ' \n\t' }],
    ['no body', { uri, mimeType }],
    ['empty blob', { uri, mimeType, blob: '' }],
  ])('with %s is empty', (_name, content) => {
    expect(failure([content])).toMatchObject({ code: 'resource-empty' });
  });

  test('with the asked URI is chosen among several', () => {
    const other = { ...item, uri: 'ui://other', text: 'other' };
    expect(readAppHtml([other, item, { ...item, text: 'later' }], uri).html).toBe(item.text);
    expect(codes([other, item])).toEqual(['several-items']);
    expect(failure([other, other])).toMatchObject({ code: 'resource-uri' });
  });

  test('may name another URI when it is the only one', () => {
    expect(codes([{ ...item, uri: 'ui://weather/dashboard/' }])).toEqual(['uri-mismatch']);
    expect(codes([{ ...item, uri: undefined }])).toEqual(['uri-mismatch']);
  });

  test('with text and blob is read as text', () => {
    expect(readAppHtml([{ ...item, blob: toBlob('other') }], uri).html).toBe(item.text);
    expect(codes([{ ...item, blob: 'x' }])).toEqual(['text-and-blob']);
  });

  test('whose body is no string is undecodable', () => {
    for (const body of [
      { text: 5 },
      { text: null },
      { text: undefined, blob: [] },
      { text: { toString: 'x' } },
    ]) {
      expect(failure([{ ...item, ...body }])).toMatchObject({ code: 'resource-undecodable' });
    }
  });

  test('that holds a bare URL is told so', () => {
    expect(codes([{ ...item, text: ' https://example.com/app \n' }])).toEqual(['html-is-url']);
  });
});

describe('D08 size', () => {
  test('is counted in bytes, for text and blob', () => {
    expect(readAppHtml([{ ...item, text: 'ä'.repeat(50) }], uri, { maxBytes: 100 }).html).toHaveLength(50);
    expect(failure([{ ...item, text: 'ä'.repeat(51) }], { maxBytes: 100 })).toMatchObject({
      code: 'resource-too-large',
    });
    expect(failure([{ ...item, text: 'a'.repeat(101) }], { maxBytes: 100 })).toMatchObject({
      code: 'resource-too-large',
    });
    const blob = (length: number) => [{ uri, mimeType, blob: toBlob('a'.repeat(length)) }];
    expect(readAppHtml(blob(100), uri, { maxBytes: 100 }).html).toHaveLength(100);
    expect(failure(blob(103), { maxBytes: 100 })).toMatchObject({ code: 'resource-too-large' });
  });

  test('has a limit of 16 MiB, which the message names', () => {
    const error = failure([{ ...item, text: 'a'.repeat(50 * 1024 * 1024) }]);
    expect(error).toMatchObject({ code: 'resource-too-large' });
    expect(error.message).toContain('50.0 MiB');
    expect(error.message).toContain('16.0 MiB');
  });
});

test.each([['https://evil.example'], ['ui://a/../b'], ['ui://a\0'], ['']])(
  'S2-34 D13 nothing is read for the URI %j',
  (asked) => {
    expect(failure([{ ...item, uri: asked }], undefined, asked)).toMatchObject({ code: 'resource-uri' });
  },
);

import { describe, expect, test } from 'vitest';
import { createPlaceCounter, walkStartTags } from './start-tags.js';

const read = (html: string) => [...walkStartTags(html)];
const namesIn = (html: string): string[] => read(html).map(({ name }) => name);
const attributesIn = (html: string): Record<string, string> =>
  Object.fromEntries(read(html)[0]?.attributes ?? []);
/** What each element holds that is text whatever it looks like. */
const textsIn = (html: string): string[] => read(html).map(({ end, textEnd }) => html.slice(end, textEnd));

describe('a start tag', () => {
  test('ends behind the first > outside of its quotes', () => {
    const html = `<a title="x > y" alt='>' href=z>text<b>`;
    expect(read(html).map(({ start, end }) => html.slice(start, end))).toEqual([
      `<a title="x > y" alt='>' href=z>`,
      '<b>',
    ]);
  });

  test.each([
    ['<a href=x/y?a=b&c="d\'>', { href: 'x/y?a=b&c="d\'' }],
    ['<a href = "x"src=\'y\'/id>', { href: 'x', src: 'y', id: '' }],
    ['<img src=a.png/>', { src: 'a.png/' }],
    ['<script src=>', { src: '' }],
    ['<a =b=c "d">', { '=b': 'c', '"d"': '' }],
    ['<a HREF\n=\r\nX\ttitle\f>', { href: 'X', title: '' }],
    ['<a href\u00a0=x>', { 'href\u00a0': 'x' }],
  ])('of the text %j has its attributes as a browser reads them', (html, attributes) => {
    expect(attributesIn(html)).toEqual(attributes);
  });

  test('has the first of two values, whatever their case', () => {
    expect(attributesIn('<script type="module" TYPE="text/plain" src src=x>')).toEqual({
      type: 'module',
      src: '',
    });
  });

  test('keeps 200 attributes, and is read to its end', () => {
    const html = `<a ${Array.from({ length: 100_000 }, (_, index) => `a${index}=1`).join(' ')}><b>`;
    const [first, second] = read(html);
    expect([first?.attributes.size, second?.name]).toEqual([200, 'b']);
  });

  test('has a name in lower case that is cut', () => {
    expect(namesIn(`<My-Element><${'a'.repeat(1_000)}><p\u00a0q>`)).toEqual([
      'my-element',
      'a'.repeat(100),
      'p\u00a0q',
    ]);
  });

  test.each(['<p><script', '<p><script ', '<p><script src', '<p><script src="x>…</script><a>', "<p><a b='"])(
    'that does not end, as in %j, is none',
    (html) => {
      expect(namesIn(html)).toEqual(['p']);
    },
  );
});

describe('no tag begins', () => {
  test.each([
    ['a comment', '<!-- <a> -- > <a> --><b>'],
    ['a comment that ends with --!>', '<!-- <a> --!><b>'],
    ['a comment that is empty', '<!--><b><!---><i><!----><u><!--!> <a> --!><p>'],
    ['a declaration', '<!doctype html "<a><b>'],
    ['an instruction', '<?xml <a><b>'],
    ['an end tag', '<b></b title="<a>"></p\n<a>'],
    ['an end tag without a name', '</><b></ <a>'],
    ['a character that is no letter', '<<1><b>< a>'],
  ])('inside of %s', (_, html) => {
    expect(namesIn(html)).not.toContain('a');
    expect(namesIn(html)).toContain('b');
  });

  test('behind a comment that does not end', () => {
    expect(namesIn('<p><!-- <a> -- ><b>')).toEqual(['p']);
  });

  test('where an empty comment took what follows', () => {
    expect(namesIn('<!--><b><!---><i><!----><u><!--!> <a> --!><p>')).toEqual(['b', 'i', 'u', 'p']);
  });
});

describe('text is', () => {
  test.each(['style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes', 'noscript', 'script'])(
    'what stands in <%s>',
    (name) => {
      const text = `<a></${name}x><b></p></${name}\u00a0>`;
      expect(namesIn(`<${name}>${text}</${name.toUpperCase()}\n><p>`)).toEqual([name, 'p']);
      expect(textsIn(`<${name}>${text}</${name}/><p>`)).toEqual([text, '']);
      expect(textsIn(`<${name}>${text}`)).toEqual([text]);
    },
  );

  test('all that follows <plaintext>', () => {
    expect(textsIn('<plaintext></plaintext><a>')).toEqual(['</plaintext><a>']);
  });

  test.each([
    ['<!-- <script> a </script> -->', 'b'],
    ['<!-- <script> a </script> ', ''],
    ['<!-- <script> a --> <script> ', ''],
    ['<!--> <script> ', ''],
    ['<!---> <script> ', ''],
    ['<!-- <scripts> ', ''],
    ['--> <script> ', ''],
  ])('in a script: %s', (before, after) => {
    const script = `${before}${after}`;
    expect(textsIn(`<script>${script}</script><p>`)).toEqual([script, '']);
  });

  test('all of a script whose inner script does not end', () => {
    expect(namesIn('<script><!-- <script> </script><a>')).toEqual(['script']);
  });

  test('nothing of another element', () => {
    expect(textsIn('<p>text</p><template><a></template>')).toEqual(['', '', '']);
  });
});

test('a place counts by what ends a line in HTML', () => {
  const html = 'a\r\nb\rc\nd\u2028e\n\rf';
  const placeOf = createPlaceCounter(html);
  expect([...html].map((_, at) => placeOf(at)).map(({ line, column }) => `${line}:${column}`)).toEqual([
    ...['1:0', '1:1', '1:2', '2:0', '2:1', '3:0', '3:1', '4:0', '4:1', '4:2', '4:3', '5:0', '6:0'],
  ]);
});

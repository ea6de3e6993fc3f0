import { expectLinearText, textOf } from './inputs.js';
import { LINEAR_GROWTH, measureGrowth } from '../count-operations.js';
import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { createDrawing, MarkdownBlocks } from '../../packages/react/src/chat/content/markdown-view.js';
import { createTextReader, toTextSpans } from '../../packages/react/src/chat/content/text-blocks.js';
import { toWebAddress } from '../../packages/react/src/chat/content/web-address.js';
import { ChatProvider } from '../../packages/react/src/chat/host/chat-host.js';
import { createStillChat } from '../../packages/react/src/chat/host/chat-host.test-support.js';
import { runs } from './runs.js';

const address = 'https://b.test/';

/** The syntax of Markdown, with words that can be looked for. */
const pieces = [
  ...['w1', 'w2 ', 'w3\n', 'w4\n\n', ' ', '\n', '\n\n', '    ', '\t', '\r\n'],
  ...['|', '|-', '|w5', '|w5|w6|\n', '|-|-|\n', 'w7|w8\n-|-\n', ':-:|'],
  ...['- ', '- w1\n', '  - w2\n', '1. ', '2) w3\n', '> ', '> w4\n', '# ', '===\n', '---\n'],
  ...['*', '**', '_', '~~', '*w5*', '**w6 ', '`', '``', '```\n', '```w7 w8\n', '~~~ w9\n'],
  ...['[', ']', '](', '![', '[w1](', `[w2](${address})`, `[w3](${address} "w4")`, `](${address})`],
  ...[`[w5]: ${address} "w6"\n`, '[w5]', '[w5][]', ')', '(', '<', '>', `<${address}>`, `<${address}w9>`],
  ...[
    'https:w1',
    '[w1](https:w2)',
    '[w1](https:/w2)',
    '[w1](//w2)',
    '[w1](HTTPS://B.test:443)',
    '(https://w3@b.test)',
    'javascript:w4',
  ],
  ...['<b onclick="w1">', '<img src=w2>', '<script>', '<!--', '&amp;', '&#x202e;', '&#60;', '\\', '\\|', '"'],
];

const draw = (text: string): unknown => createDrawing()(createTextReader()(text), false);

/** The same text as it comes, some letters at a time. */
const drawAll = (text: string, step: number): void => {
  const read = createTextReader();
  const drawOne = createDrawing();
  for (let end = step; end < text.length; end += step) drawOne(read(text.slice(0, end)), true);
  drawOne(read(text), false);
};

const chat = createStillChat();
const render = (text: string, isGrowing = false): string =>
  renderToStaticMarkup(
    createElement(
      ChatProvider,
      { value: chat },
      createElement(MarkdownBlocks, { groups: createTextReader()(text), isGrowing }),
    ),
  );

/** A piece over and over, about so many letters long. */
const over = (piece: string) => (length: number) => piece.repeat(Math.ceil(length / piece.length));
const overTwo = (before: string, after: string) => (length: number) => {
  const times = Math.ceil(length / (before.length + after.length));
  return before.repeat(times) + after.repeat(times);
};
const toTable = (columns: number, rows: string): string =>
  `${'|a'.repeat(columns)}\n${'|-'.repeat(columns)}\n${rows}`;

/** Texts that make a parser of Markdown work: each grows in one way. */
const shapes: Readonly<Record<string, (length: number) => string>> = {
  'a table with many empty rows': (length) => toTable(60, over('|\n')(length)),
  'a table as wide as it is long': (length) => {
    const side = Math.ceil(Math.sqrt(length));
    return toTable(side, '|\n'.repeat(side));
  },
  'a table with a long row': (length) => toTable(2, over('|w')(length)),
  'a table with rows that are too long': (length) => toTable(2, over('|1|2|3\n')(length)),
  'heads of tables': over('-|-\n'),
  'tables among headings': over('a|b\n-|-\n1|2\n# h\n'),
  'tables among blank lines': over('a|b\n-|-\n1|2|3\n\n'),
  'lists in lists': (length) => {
    const side = Math.ceil(Math.sqrt(length));
    return Array.from({ length: side }, (_, depth) => `${'  '.repeat(depth)}- a\n`).join('');
  },
  'lists in lists on one line': over('- '),
  'a list': over('- a\n'),
  'a list with blank lines': over('1. a\n\n'),
  'lists of other marks': over('- a\n+ a\n* a\n'),
  'quotes in quotes': over('> '),
  'a quote': over('> a\n'),
  'quotes in quotes in lines': over('> > > > a\n'),
  'a quote that goes on without its mark': (length) => `> a\n${over('b\n')(length)}`,
  'lists in quotes': over('> - a\n'),
  'emphasis in emphasis': overTwo('*a _b ', '_*'),
  'emphasis that begins': over('*a **b ~~c '),
  'emphasis that ends': over('a* b** c~~ '),
  'marks of emphasis': over('*_'),
  brackets: over('['),
  'brackets in brackets': overTwo('[', ']'),
  links: over(`[a](${address}) `),
  'links in links': overTwo('[', `](${address})`),
  'images in images': overTwo('![', `](${address})`),
  'links without their end': over(`[a](${address} "`),
  'a long address': (length) => `[a](${address}${'x'.repeat(length)})`,
  'a long address in brackets': (length) => `<${address}${'x'.repeat(length)}>`,
  'addresses in brackets': over(`<${address}> `),
  definitions: over(`[a]: ${address} "b"\n`),
  'code fences': over('```\na\n'),
  'code fences in lists': over('- ```\n  a\n  ```\n'),
  'a code fence that stays open': (length) => `- \`\`\`\n${over('  a\n')(length)}`,
  'marks of code': (length) => Array.from({ length: Math.sqrt(length) }, (_, at) => '`'.repeat(at)).join('a'),
  entities: over('&amp;&a'),
  markup: over('<b x="'),
  paragraphs: over('word **word** word\n\n'),
  lines: over('word\n'),
  words: over('word '),
};

describe('sec-W16 Markdown of a model', () => {
  test('is drawn in linear work', () => {
    expectLinearText(
      pieces.filter((piece) => !/w\d/.test(piece)),
      draw,
    );
  });

  test.each(Object.keys(shapes))('is drawn in linear work: %s', (name) => {
    const input = shapes[name] ?? String;
    expect(measureGrowth({ input, run: draw, size: 1500 })).toBeLessThan(LINEAR_GROWTH);
  });

  test.each([
    'a table with many empty rows',
    'a table with rows that are too long',
    'tables among blank lines',
    'a list',
    'a list with blank lines',
    'quotes in quotes in lines',
    'emphasis in emphasis',
    'links',
    'code fences',
    'a code fence that stays open',
    'paragraphs',
    'words',
  ])('is drawn in linear work while it comes: %s', (name) => {
    const input = shapes[name] ?? String;
    // Much longer than what is drawn anew with each word.
    const growth = measureGrowth({ input, run: (text) => drawAll(text, 100), size: 6000 });
    expect(growth).toBeLessThan(LINEAR_GROWTH);
  });

  test('is read, while it comes, as it is when it is there', () => {
    fc.assert(
      fc.property(textOf(pieces), fc.array(fc.nat(), { maxLength: 5 }), (text, places) => {
        const read = createTextReader();
        for (const place of places.map((each) => each % (text.length + 1)).toSorted((a, b) => a - b))
          read(text.slice(0, place));
        expect(read(text)).toEqual(createTextReader()(text));
      }),
      runs(300),
    );
  });

  test('keeps every word', () => {
    const countWords = (text: string): Map<string, number> => {
      const words = new Map<string, number>();
      for (const [word] of text.matchAll(/w\d/g)) words.set(word, (words.get(word) ?? 0) + 1);
      return words;
    };
    // Where a link leads is said as its title.
    const toShown = (html: string): string =>
      html.replace(/<a href="[^"]*"[^>]* title="([^"]*)">/g, ' $1 ').replace(/<[^>]*>/g, '');
    fc.assert(
      fc.property(textOf(pieces), fc.boolean(), (text, isGrowing) => {
        const shown = countWords(toShown(render(text, isGrowing)));
        for (const [word, count] of countWords(text))
          expect(shown.get(word) ?? 0, `${word} of ${JSON.stringify(text)}`).toBeGreaterThanOrEqual(count);
      }),
      runs(1500),
    );
  });

  test('becomes elements of ours, and links to where they say', () => {
    const plain =
      'p ul ol li blockquote table thead tbody tr th td em strong s code hr pre figure figcaption span';
    const allowed = [
      ...plain.split(' ').map((name) => new RegExp(`^<(?:/?${name}|${name}/)>$`)),
      /^<ol start="\d+">$/,
      /^<pre tabindex="0">$/,
      /^<figure class="casement-code">$/,
      /^<button type="button" class="casement-quiet-button">$/,
      /^<div role="heading" aria-level="[3-6]" class="casement-heading">$/,
      /^<\/(?:button|div|a)>$/,
      /^<a href="https?:\/\/[^"]+" target="_blank" rel="noopener noreferrer" title="https?:\/\/[^"]+">$/,
    ];
    fc.assert(
      fc.property(textOf(pieces), (text) => {
        const html = render(text);
        const tags = html.match(/<[^>]*>/g) ?? [];
        expect(tags.filter((tag) => !allowed.some((each) => each.test(tag)))).toEqual([]);
        expect(html).not.toContain('\u202e');
        for (const [, href = '', shown = ''] of html.matchAll(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/g)) {
          // On whatever page.
          expect(new URL(href, 'https://product.example/app/').href).toBe(href);
          const { host } = new URL(href);
          const isSaid = shown.endsWith(` (${host})`) || toWebAddress(shown)?.host === host;
          expect(isSaid, shown).toBe(true);
        }
      }),
      runs(1500),
    );
  });
});

test('what is said is an address of the web only where every page opens the same', () => {
  const parts = [
    'https:',
    'http:',
    '/',
    '//',
    '\\',
    '@',
    ':',
    'b.test',
    '443',
    '.',
    '%61',
    'é',
    '?',
    '#',
    '\t',
  ];
  fc.assert(
    fc.property(textOf(parts), (text) => {
      const url = toWebAddress(text);
      if (!url) return;
      expect(text.toLowerCase()).toMatch(/^https?:\/\//);
      expect(
        text
          .toLowerCase()
          .slice(text.indexOf('//') + 2)
          .startsWith(url.hostname),
      ).toBe(true);
      for (const page of ['https://product.example/a/b', 'http://product.example/'])
        expect([new URL(text, page).href, new URL(url.href, page).href]).toEqual([url.href, url.href]);
    }),
    runs(1000),
  );
  expectLinearText([...parts, `${address}a`], toWebAddress);
});

test('inline code in what people write keeps every letter, in linear work', () => {
  fc.assert(
    fc.property(textOf(['word', ' ', '\n', '`', 'x']), (text) => {
      const spans = toTextSpans(text);
      expect(spans.map((span) => (span.type === 'code' ? `\`${span.text}\`` : span.text)).join('')).toBe(
        text,
      );
    }),
    runs(300),
  );
  expectLinearText(['```', '~~~', '`', ' ', '\n', 'word'], toTextSpans);
});

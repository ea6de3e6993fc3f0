import { describe, expect, test } from 'vitest';
import type { TextBlock } from './text-blocks.js';
import { createTextReader, textLimits, toTextSpans } from './text-blocks.js';

const readAll = (text: string): readonly TextBlock[] => createTextReader()(text).flat();

const isPlain = (block: TextBlock | undefined): boolean => block?.type === 'text' && block.isPlain;

describe('blocks of a text', () => {
  test('what stands behind the mark of a fence is said, all of it', () => {
    expect(readAll('```js first second \nx\n```')).toEqual([
      { type: 'code', text: 'x', language: 'js first second' },
    ]);
  });

  test('a text that grows is read as the whole is, wherever it was cut', () => {
    const text = 'one\r\ntwo\n\n- a\n\n  b\r\rc\n```js\nx\n\n```\nafter  \n> q\n\n~~~\nopen';
    const read = createTextReader();
    for (let end = 0; end <= text.length; end += 1)
      expect(read(text.slice(0, end)), `${end}`).toEqual(createTextReader()(text.slice(0, end)));
  });

  test('another text is read from its beginning', () => {
    const read = createTextReader();
    read('one\n\ntwo\n\nthree');
    expect(read('One\n\ntwo\n\nthree').flat()[0]).toMatchObject({ text: 'One' });
    expect(read('One').flat()).toHaveLength(1);
  });

  test('groups that are full stay the same objects', () => {
    const read = createTextReader();
    const [first] = read('a\n\n'.repeat(80));
    expect(first).toHaveLength(50);
    expect(read('a\n\n'.repeat(120))[0]).toBe(first);
  });

  test('a line that does not end keeps all of its words and its letters', () => {
    const line = `${'word '.repeat(2000)}${'\u{1f600}'.repeat(4000)}\u00e9nd`;
    const read = createTextReader();
    for (let end = 0; end < line.length; end += 999) read(line.slice(0, end));
    expect(read(line).flat()).toEqual([{ type: 'text', text: line, isPlain: false }]);
    expect(readAll(`${line}\n${line}`)).toEqual([{ type: 'text', text: `${line}\n${line}`, isPlain: true }]);
    // Too long to be a fence, or blank.
    expect(readAll(`\`\`\`${' '.repeat(5000)}\n${' '.repeat(5000)}`)).toHaveLength(1);
  });
});

describe('limits of a text', () => {
  test('a block that is too long is plain, and those after it are not', () => {
    const blocks = readAll(`${'a '.repeat(textLimits.block / 2)}\n\n${'a '.repeat(textLimits.block)}\n\nb`);
    expect(blocks.map(isPlain)).toEqual([false, true, false]);
  });

  test('what comes after too many characters is plain; code does not count', () => {
    const block = `${'a '.repeat(5000).trim()}\n\n`;
    const blocks = readAll(
      `\`\`\`\n${block.repeat(50)}\n\`\`\`\n${block.repeat(textLimits.text / 10_000 + 2)}`,
    );
    expect(blocks.slice(1).map(isPlain)).toEqual([...Array<boolean>(10).fill(false), true, true]);
  });

  test('what comes after too many blocks is one plain block, with all of its words', () => {
    const words = Array.from({ length: textLimits.blocks + 50 }, (_, index) => `w${index}`);
    const blocks = readAll(words.join('\n\n'));
    expect(blocks).toHaveLength(textLimits.blocks + 1);
    expect(isPlain(blocks.at(-2))).toBe(false);
    expect(isPlain(blocks.at(-1))).toBe(true);
    expect(blocks.at(-1)?.text.match(/w\d+/g)).toEqual(words.slice(textLimits.blocks));
  });
});

test('inline code needs both of its marks on one line', () => {
  expect(toTextSpans('a `b` c')).toEqual([
    { type: 'text', text: 'a ' },
    { type: 'code', text: 'b' },
    { type: 'text', text: ' c' },
  ]);
  for (const text of ['a `b c', 'a `b\nc`', '``'])
    expect(toTextSpans(text)).toEqual([{ type: 'text', text }]);
});

import type { ReactNode } from 'react';
import { createElement, isValidElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { ChatProvider } from '../host/chat-host.js';
import { createStillChat } from '../host/chat-host.test-support.js';
import { createDrawing, MarkdownBlocks } from './markdown-view.js';
import { createTextReader, textLimits } from './text-blocks.js';

const render = (text: string, isGrowing = false): string =>
  renderToStaticMarkup(
    createElement(
      ChatProvider,
      { value: createStillChat() },
      createElement(MarkdownBlocks, { groups: createTextReader()(text), isGrowing }),
    ),
  );

describe('what a model wrote in Markdown', () => {
  test.each([
    ['a **b** and *c*', '<p>a <strong>b</strong> and <em>c</em></p>'],
    ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['3. a\n4. b', '<ol start="3"><li>a</li><li>b</li></ol>'],
    ['> a', '<blockquote><p>a</p></blockquote>'],
    ['# a', '<div role="heading" aria-level="3" class="casement-heading">a</div>'],
    [
      'a|b\n-|-\n1|2',
      '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
    ],
    ['---', '<hr/>'],
    ['one\ntwo', '<p>one\ntwo</p>'],
  ])('%j is drawn as elements', (text, html) => expect(render(text)).toBe(html));

  test('inline code needs both of its marks', () => {
    expect(render('a `b` c')).toBe('<p>a <code>b</code> c</p>');
    expect(render('a `b c')).toBe('<p>a `b c</p>');
  });

  test('markup is shown, not made', () => {
    expect(render('<b onclick="x">&')).toBe('<p>&lt;b onclick=&quot;x&quot;&gt;&amp;</p>');
    expect(render('<script>x</script>')).toBe('<p>&lt;script&gt;x&lt;/script&gt;</p>');
  });

  test('a link is one only to a web address, opens elsewhere, and says where it leads', () => {
    expect(render('[a](https://b.test/)')).toBe(
      '<p><a href="https://b.test/" target="_blank" rel="noopener noreferrer" title="https://b.test/">a (b.test)</a></p>',
    );
    expect(render('<https://b.test/>')).toContain('>https://b.test/</a>');
    expect(render('[a](HTTPS://B.test)')).toContain('<a href="https://b.test/"');
    const others = ['javascript:alert(1)', 'data:text/html,x', 'file:///x', 'ui://a/b', '/relative'];
    const posing = ['https:bank.test', 'https:/logout', '//bank.test', 'https://bank.test@other.test/'];
    for (const address of [...others, ...posing, 'https://bаnk.test/'])
      for (const written of [`[a](${address})`, `![a](${address})`])
        expect(render(written)).toBe(`<p>${written}</p>`);
    expect(render('<https:bank.test>')).toBe('<p>&lt;https:bank.test&gt;</p>');
  });

  test('words of a link that name another place stand beside the true one', () => {
    expect(render('[https://bank.test/](https://other.test/x)')).toContain(
      '>https://bank.test/ (other.test)</a>',
    );
    expect(render('[**bank.test**](https://other.test/)')).toContain('</strong> (other.test)</a>');
    expect(render('<https://xn--80ak6aa92e.com/>')).toContain('>https://xn--80ak6aa92e.com/</a>');
    expect(render('[a]() ![b]()')).toBe('<p>a b</p>');
  });

  test('an image is named and not fetched', () => {
    const html = render('![a picture](https://b.test/x.png)');
    expect(html).not.toContain('<img');
    expect(html).toContain('>a picture (b.test)</a>');
  });

  test('letters that nobody sees do not come back as entities', () => {
    expect(render('a&#x202e;b `c&#x202e;`')).not.toContain('\u202e');
    expect(render('[a&#8238;b](https://c.test/)')).not.toContain('\u202e');
  });

  test('an image or address in a link is words of the link', () => {
    expect(render('[<https://b.test/>](https://c.test/)')).toContain('>https://b.test/ (c.test)</a>');
    expect(render('[![a](https://b.test/x.png)](https://c.test/)')).toBe(
      '<p><a href="https://c.test/" target="_blank" rel="noopener noreferrer" title="https://c.test/">a (b.test) (c.test)</a></p>',
    );
  });

  test('words that stand too deep are shown as they were written', () => {
    expect(render(`${'> '.repeat(500)}deep`)).toMatch(/^<p>.*deep<\/p>$/);
    const toNested = (depth: number): string => `${'*a _b '.repeat(depth)}c${'_*'.repeat(depth)}`;
    expect(render(toNested(5))).toMatch(/^<p>(?:<em>[ab] ){10}c/);
    expect(render(toNested(20))).toBe(`<p>${toNested(20)}</p>`);
  });

  test('definitions are shown, and lend nothing an address', () => {
    const text = '[a]: https://b.test/ "hidden words"\nThe [a]';
    expect(render(text)).toBe(`<p>${text.replaceAll('"', '&quot;')}</p>`);
  });

  test('the title of a link stands behind its words, and its host behind both', () => {
    expect(render('[a](https://b.test/ "say this")')).toContain('>a “say this” (b.test)</a>');
    expect(render('![a](https://b.test/ "say this")')).toContain('>a “say this” (b.test)</a>');
    expect(render('[https://b.test/](https://b.test/ "say this")')).toContain(
      '>https://b.test/ “say this” (b.test)</a>',
    );
  });

  test('cells that the head of a table has no column for stay in the last one', () => {
    const rows = (text: string): string => /<tbody>.*<\/tbody>/.exec(render(text))?.[0] ?? '';
    expect(rows('| a | b |\n|-|-|\n| 1 | 2 | *3* | x\\|y |\n| 4 |')).toBe(
      '<tbody><tr><td>1</td><td>2 | <em>3</em> | x|y</td></tr><tr><td>4</td><td></td></tr></tbody>',
    );
    expect(rows('> - a|b\n>   -|-\n>   1|2|3')).toBe('<tbody><tr><td>1</td><td>2|3</td></tr></tbody>');
  });

  test('code says all that stands behind its mark', () => {
    expect(render('- ```js first second\n  x\n  ```')).toContain('<span>js first second</span>');
  });
});

describe('limits of Markdown', () => {
  const toTable = (columns: number, rows: number): string =>
    `${'|a'.repeat(columns)}\n${'|-'.repeat(columns)}\n${'|\n'.repeat(rows)}`;

  /** The cells among the elements of a text. */
  const countCells = (text: string): number => {
    const count = (node: ReactNode): number => {
      if (Array.isArray(node)) return node.reduce<number>((sum, each: ReactNode) => sum + count(each), 0);
      if (!isValidElement<{ children?: ReactNode }>(node)) return 0;
      return (node.type === 'td' ? 1 : 0) + count(node.props.children);
    };
    return count(createDrawing()(createTextReader()(text), false));
  };

  test('a table has as many columns as anybody reads', () => {
    expect(countCells(toTable(64, 3))).toBe(192);
    expect(render(toTable(65, 3))).toBe(`<p>${toTable(65, 3).trim()}</p>`);
  });

  test('a short text cannot ask for many cells', () => {
    const table = toTable(64, 60);
    expect(table.length).toBeLessThan(400);
    // One block may ask for some, and all blocks of a text share what there is.
    expect(render(table)).toBe(`<p>${table.trim()}</p>`);
    const cells = countCells(`${toTable(60, 40)}\n`.repeat(20));
    expect(cells).toBeGreaterThan(2400);
    expect(cells).toBeLessThan(10_000);
  });

  test('what is over a limit of the text is shown as it was written', () => {
    const long = '**a** '.repeat(textLimits.block / 6 + 1).trim();
    expect(render(long)).toBe(`<p>${long}</p>`);
    expect(render('**a**')).toBe('<p><strong>a</strong></p>');
  });

  test('of a long block that grows the end is shown as it comes, and drawn when it stopped', () => {
    const row = '| **a** | b |\n';
    const text = `| a | b |\n|-|-|\n${row.repeat(300)}`.trim();
    const isRow = /<tr><td><strong>a<\/strong><\/td><td>b<\/td><\/tr>/g;
    expect(render(text).match(isRow)).toHaveLength(300);
    const drawn = render(text, true).match(isRow)?.length ?? 0;
    const shown = render(text, true).match(/\| \*\*a\*\* \| b \|/g)?.length ?? 0;
    expect(drawn + shown).toBe(300);
    expect(shown).toBeGreaterThan(0);
    expect(shown).toBeLessThan(300 / 8);
    // A short one is drawn at once, and so are all that are not the last.
    expect(render('a **b**', true)).toBe('<p>a <strong>b</strong></p>');
    expect(render(`${text}\n\nafter`, true).match(isRow)).toHaveLength(300);
  });

  test('what was drawn is not drawn again', () => {
    const draw = createDrawing();
    const read = createTextReader();
    const toChild = (node: ReactNode): ReactNode =>
      isValidElement<{ children: ReactNode[] }>(node) ? node.props.children[0] : undefined;
    const [group] = draw(read('a\n\n'.repeat(20)), true);
    const paragraph = toChild(toChild(group));
    expect(paragraph).toBeDefined();
    const [grown] = draw(read('a\n\n'.repeat(60)), true);
    expect(toChild(toChild(grown))).toBe(paragraph);
    const after = draw(read('a\n\n'.repeat(70)), true);
    expect(after).toHaveLength(2);
    expect(after[0]).toBe(grown);
  });
});

import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { MarkdownView } from './markdown-view.js';

const render = (text: string): string => renderToStaticMarkup(createElement(MarkdownView, { text }));

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
    for (const address of ['javascript:alert(1)', 'data:text/html,x', 'file:///x', 'ui://a/b', '/relative'])
      expect(render(`[a](${address})`)).toBe(`<p>[a](${address})</p>`);
  });

  test('words of a link that name another place stand beside the true one', () => {
    expect(render('[https://bank.test/](https://other.test/x)')).toContain(
      '>https://bank.test/ (other.test)</a>',
    );
    expect(render('[**bank.test**](https://other.test/)')).toContain('</strong> (other.test)</a>');
    expect(render('<https://xn--80ak6aa92e.com/>')).toContain(' (xn--80ak6aa92e.com)</a>');
    expect(render('[a](https://bank.test@other.test/)')).not.toContain('<a');
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

  test('words that stand too deep, or in definitions only, are shown as they were written', () => {
    const deep = `${'> '.repeat(500)}deep`;
    expect(render(deep)).toContain('deep');
    expect(render('[a]: https://b.test/')).toBe('<p>[a]: https://b.test/</p>');
  });
});

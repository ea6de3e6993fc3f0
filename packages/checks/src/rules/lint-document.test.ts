import { describe, expect, test } from 'vitest';
import { lintDocument } from './lint-document.js';

const page = (body: string): string =>
  `<!doctype html>\n<html lang="en">\n<head><title>a < b</title></head>\n<body>\n${body}\n</body></html>`;

describe('the document of an app', () => {
  test('has no finding when all is in it or has a full address', () => {
    const html = page(`
      <!-- <script src="/assets/old.js"></script> -->
      <script>const path = '<img src="/no.png">';</script>
      <script src="https://cdn.example.com/lib.js"></script>
      <link rel="icon" href="/favicon.ico"><link rel="stylesheet" href="//cdn.example.com/a.css">
      <img src="data:image/png;base64,AAAA"><a href="/elsewhere">link</a><use href="#part"></use>`);
    expect(lintDocument({ html })).toEqual([]);
  });

  test.each([
    [
      '<script type="module" crossorigin src="/assets/index-D3x.js"></script>',
      '/assets/index-D3x.js',
      'error',
    ],
    ["<LINK href='./style.css' rel=stylesheet>", './style.css', 'error'],
    ['<img alt="a > b" src=logo.png>', 'logo.png', 'warning'],
  ])('names a relative address and how to build one file: %s', (tag, path, severity) => {
    const [finding, ...others] = lintDocument({ html: page(tag) });
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ code: 'relative-address', path, severity });
    expect(finding?.message).toContain('at line 5');
    expect(finding?.fix).toContain('vite-plugin-singlefile');
  });

  test('may have relative addresses where a base says what they are relative to', () => {
    const html = page('<base href="https://apps.example.com/"><script src="app.js"></script>');
    expect(lintDocument({ html })).toEqual([]);
  });

  test('of many megabytes is named with what is large in it', () => {
    const script = `<script>${'x'.repeat(3_000_000)}</script>`;
    const picture = `<img src="data:image/png;base64,${'A'.repeat(9_000_000)}">`;
    const [finding] = lintDocument({ html: page(`${script}\n${picture}\n<style>b{}</style>`) });
    expect(finding?.code).toBe('html-large');
    expect(finding?.message).toContain('The HTML has 12.0 MB');
    expect(finding?.message).toContain(
      'Largest: data: address in <img> at line 6: 9.0 MB; <script> at line 5: 3.0 MB.',
    );
    expect(finding?.path).toBe('html:6');
  });

  test('is told of with element names that are cut and can be read', () => {
    const picture = `src="data:image/png;base64,${'A'.repeat(5_000_000)}"`;
    const [finding] = lintDocument({ html: page(`<x-\u202e${'y'.repeat(100_000)} ${picture}>`) });
    expect(finding?.message).toMatch(/Largest: data: address in <x-[^\u202e]{1,80} at line 5: 5\.1 MB\.$/);
  });

  test('is judged by its size in bytes where that is known', () => {
    expect(lintDocument({ html: page(''), bytes: 5_000_000 }).map(({ code }) => code)).toEqual([
      'html-large',
    ]);
  });

  test('came with metadata in the wrong place', () => {
    const item = { uri: 'ui://a', _meta: { csp: { connectDomains: ['https://a.example'] } } };
    expect(lintDocument({ html: page(''), item })[0]?.path).toBe('_meta.csp');
  });
});

import { describe, expect, test } from 'vitest';
import { readExternalUrl } from '../index.js';

describe('a list of addresses', () => {
  const read = (body: string) => readExternalUrl(body, 'text/uri-list');

  test('gives its first usable line', () => {
    expect(read('https://example.com/app')).toBe('https://example.com/app');
    expect(read('# a comment\r\n\r\n  https://example.com/a?b=c#d  \nhttps://other.example')).toBe(
      'https://example.com/a?b=c#d',
    );
    expect(read('javascript:alert(1)\nfile:///etc/passwd\nhttp://127.0.0.1:8080/x')).toBe(
      'http://127.0.0.1:8080/x',
    );
    expect(readExternalUrl('https://example.com', 'Text/URI-List; charset=utf-8')).toBe(
      'https://example.com/',
    );
  });

  test.each([
    '',
    '# only a comment',
    '#https://example.com',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    'blob:https://example.com/x',
    'ftp://example.com',
    'ui://app/page',
    '//example.com',
    'example.com',
    'https://',
    'https:example.com',
    'https://user@example.com/',
    'https://user:secret@example.com/',
    `https://example.com/${'x'.repeat(3000)}`,
    '<a href="https://example.com">x</a>',
  ])('without a usable address gives none: %j', (body) => {
    expect(read(body)).toBeUndefined();
  });
});

test('HTML is an address only when it is nothing else', () => {
  const read = (body: string) => readExternalUrl(body, 'text/html');
  expect(read(' https://example.com/app\n')).toBe('https://example.com/app');
  for (const body of [
    '<p>https://example.com</p>',
    'https://example.com is a page',
    'https://example.com\nhttps://example.com',
    'javascript:alert(1)',
    'file:///etc/passwd',
    '',
  ]) {
    expect(read(body), body).toBeUndefined();
  }
});

test('other types are no address, whatever they hold', () => {
  for (const type of ['text/plain', 'application/json', 'text/html+skybridge', undefined, 7]) {
    expect(readExternalUrl('https://example.com', type)).toBeUndefined();
  }
});

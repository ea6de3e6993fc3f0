import { describe, expect, test } from 'vitest';
import { toWebAddress } from './web-address.js';

const pages = ['https://product.example/app/chat', 'http://localhost:6274/'];

describe('the address of a link', () => {
  test.each([
    ['https://b.test', 'https://b.test/'],
    ['http://b.test:8080/a?b#c', 'http://b.test:8080/a?b#c'],
    ['HTTPS://B.Test/Ä', 'https://b.test/%C3%84'],
    ['https://b.test:443/@a', 'https://b.test/@a'],
    ['https://127.0.0.1/', 'https://127.0.0.1/'],
    ['http://[::1]:80/', 'http://[::1]/'],
    ['https://xn--80ak6aa92e.com/', 'https://xn--80ak6aa92e.com/'],
  ])('%j is opened as %j, whatever page it stands on', (text, href) => {
    const url = toWebAddress(text);
    expect(url?.href).toBe(href);
    for (const page of pages) expect(new URL(url?.href ?? '', page).href).toBe(href);
  });

  test.each([
    // A page reads these as places of its own.
    'https:bank.example',
    'https:/logout',
    'http:x',
    '//x',
    '/x',
    'x',
    '',
    // A name before the host.
    'https://bank.test@other.test/',
    'https://bank.test:1@other.test/',
    // Not the letters that are looked up.
    'https://bаnk.test/',
    'https://bank。test/',
    'https://ｂank.test/',
    'https://b%61nk.test/',
    'https://0x7f.1/',
    'https://b\u00adank.test/',
    `https://bank.test${'.a'.repeat(150)}.other.test/`,
    // Written so that it looks like one.
    'https:///b.test',
    'https:\\\\b.test',
    'https://b.test\\@other.test',
    'https://b.test/\\other',
    ' https://b.test/',
    'ht\ntps://b.test/',
    'https://b\t.test/',
    'https：//b.test/',
    'https://',
    'https://b.test:port/',
    // Not of the web.
    'javascript://b.test/%0aalert(1)',
    'data:text/html,x',
    'file:///x',
    'ui://a/b',
    'mailto:a@b.test',
  ])('%j is text', (text) => expect(toWebAddress(text)).toBeUndefined());
});

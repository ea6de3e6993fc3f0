import { expect, test } from 'vitest';
import { findProxy } from './find-proxy.js';

const find = (address: string, env: Record<string, string>): string | undefined =>
  findProxy(new URL(address), env)?.url.href;

const proxy = 'http://proxy.example:3128/';

test('https goes through HTTPS_PROXY, http through HTTP_PROXY, in both ways of writing', () => {
  expect(find('https://a.example/', { HTTPS_PROXY: proxy })).toBe(proxy);
  expect(find('https://a.example/', { https_proxy: proxy, HTTPS_PROXY: 'http://other/' })).toBe(proxy);
  expect(find('http://a.example/', { HTTP_PROXY: proxy })).toBe(proxy);
  expect(find('http://a.example/', { HTTPS_PROXY: proxy })).toBeUndefined();
  expect(find('https://a.example/', { HTTP_PROXY: proxy })).toBeUndefined();
  expect(find('https://a.example/', { HTTPS_PROXY: 'proxy.example:3128' })).toBe(proxy);
  expect(find('https://a.example/', { HTTPS_PROXY: ' ' })).toBeUndefined();
});

test.each([
  ['a.example', true],
  ['other.example, a.example', true],
  ['other.example a.example', true],
  ['example', true],
  ['.example', true],
  ['*.example', true],
  ['*', true],
  ['a.example:443', true],
  ['a.example:8443', false],
  ['A.EXAMPLE.', true],
  ['xample', false],
  ['b.a.example', false],
  ['', false],
  [',,', false],
])('NO_PROXY=%s lets https://a.example/ go straight: %s', (NO_PROXY, isStraight) => {
  expect(find('https://a.example/', { HTTPS_PROXY: proxy, NO_PROXY }) === undefined).toBe(isStraight);
});

test.each([
  ['https://10.1.2.3/', '10.0.0.0/8', true],
  ['https://11.1.2.3/', '10.0.0.0/8', false],
  ['https://10.1.2.3/', '10.1.2.3', true],
  ['https://[fd00::1]/', 'fd00::/8', true],
  ['https://[fd00::1]/', 'fd00::1', true],
  ['https://[fd00::1]:8443/', '[fd00::1]:8443', true],
  ['https://a.example/', '10.0.0.0/99', false],
  ['https://a.example/', 'no/thing', false],
])('%s beside NO_PROXY=%s goes straight: %s', (address, no_proxy, isStraight) => {
  expect(find(address, { HTTPS_PROXY: proxy, no_proxy }) === undefined).toBe(isStraight);
});

test.each([
  'http://localhost:3000/',
  'http://127.0.0.1/',
  'http://127.8.9.1/',
  'http://[::1]/',
  'http://a.localhost/',
  'http://localhost.:3000/',
  'http://0.0.0.0:3000/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
])('%s is this machine: what is meant for it never goes to a proxy (C29)', (address) => {
  expect(find(address, { HTTP_PROXY: proxy })).toBeUndefined();
});

test.each(['socks5://proxy:1080', 'http://[', 'file:///etc/passwd'])(
  'a variable that names no proxy (%s) is refused by its name, and its value is not repeated',
  (HTTPS_PROXY) => {
    expect(() => find('https://a.example/', { HTTPS_PROXY })).toThrow(
      expect.objectContaining({ code: 'proxy-refused', message: expect.not.stringContaining(HTTPS_PROXY) }),
    );
  },
);

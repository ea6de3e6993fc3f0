import { describe, expect, test } from 'vitest';
import { readCarriedAccess, readDeepLink, readViewAddress, toMovedAddress, toQuery } from './page-address.js';

const read = (address: string) => readDeepLink(new URL(address, 'http://localhost:6270/'));

describe('the address of the page', () => {
  test('names a server, a tool and arguments in its query', () => {
    expect(read('/?server=a&tool=b&args=%7B%22c%22%3A1%7D&run=1#token=t')).toEqual({
      server: 'a',
      tool: 'b',
      args: '{"c":1}',
      run: true,
    });
  });

  test('may name them beside the token instead', () => {
    expect(read('/#token=t&server=a&tool=b&run=1')).toEqual({ server: 'a', tool: 'b', run: true });
  });

  test('a query replaces what stands beside the token as a whole', () => {
    expect(read('/?server=x#token=t&server=a&tool=b&run=1')).toEqual({ server: 'x', run: false });
  });

  test('a fragment without a token names nothing', () => {
    expect(read('/#server=a&tool=b&run=1')).toEqual({ run: false });
  });

  test('the last of repeated parameters counts', () => {
    expect(read('/?server=a&run=1&server=b&run=0')).toEqual({ server: 'b', run: false });
  });

  test('only run=1 runs', () => {
    for (const value of ['true', '', '0', '11']) expect(read(`/?run=${value}`).run).toBe(false);
  });

  test('keeps foreign parameters and never writes run', () => {
    expect(toQuery('?mine=1&server=a&tool=old&run=1', { server: 'b', args: '{"c":1}' })).toBe(
      '?mine=1&server=b&args=%7B%22c%22%3A1%7D',
    );
    expect(toQuery('?server=a', {})).toBe('');
  });

  test('gives back the view it was written from', () => {
    const view = {
      tab: 'security',
      filter: 'leg:app tools/call',
      theme: 'dark',
      width: 'phone',
      locale: 'de',
    };
    const query = toQuery('?tab=old', { ...view, server: 'a', tool: 'b', args: '{"c":"ü&"}' });
    expect(readViewAddress(query)).toEqual(view);
    expect(read(`/${query}`)).toEqual({ server: 'a', tool: 'b', args: '{"c":"ü&"}', run: false });
  });

  test('how the page looks does not replace the call beside the token', () => {
    expect(read('/?theme=dark#token=t&server=a&tool=b&run=1')).toEqual({
      server: 'a',
      tool: 'b',
      run: true,
    });
  });

  test('carries a code or a token only under their names', () => {
    expect(readCarriedAccess('#token=abc_-1')).toEqual({ token: 'abc_-1' });
    expect(readCarriedAccess('#code=abc_-1&server=a')).toEqual({ code: 'abc_-1' });
    for (const hash of ['#abc', '', '#code=', '#token']) expect(readCarriedAccess(hash)).toBeUndefined();
  });

  test('a code stands for the token beside a call', () => {
    expect(read('/#code=c&server=a&tool=b&run=1')).toEqual({ server: 'a', tool: 'b', run: true });
  });

  test('sec-B12 moves with a fresh code, without the token, and runs only what came with access', () => {
    const moved = (address: string, isTrusted: boolean) =>
      toMovedAddress(`http://casement.localhost:6270${address}`, 'fresh', isTrusted);
    expect(moved('/?run=1#token=t&server=a', true)).toBe(
      'http://casement.localhost:6270/?run=1#code=fresh&server=a',
    );
    expect(moved('/?server=a&run=1#server=b&run=1', false)).toBe(
      'http://casement.localhost:6270/?server=a#code=fresh',
    );
  });
});

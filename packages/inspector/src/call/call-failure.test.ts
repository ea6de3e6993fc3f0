import { CasementError } from '@casement/protocol/start';
import { describe, expect, test } from 'vitest';
import { readSignInPages } from './call-failure.js';

const failure = (code: number, data: unknown) =>
  new CasementError('tool-failed', 'refused', { wire: { code, message: 'URL elicitation required', data } });

describe('the pages a server wants visited', () => {
  test('are read from its error, the host beside the address', () => {
    const elicitations = [{ mode: 'url', url: 'https://sign.example/in?x=1', message: 'Please sign in.' }];
    expect(readSignInPages(failure(-32042, { elicitations }))).toEqual([
      { url: 'https://sign.example/in?x=1', host: 'sign.example', message: 'Please sign in.' },
    ]);
  });

  test('are web pages only', () => {
    const urls = ['javascript:alert(1)', 'file:///etc/passwd', 'no address', 7, undefined];
    const elicitations = urls.map((url) => ({ url }));
    expect(readSignInPages(failure(-32042, { elicitations }))).toEqual([]);
  });

  test('are no addresses with user information, which read like another host', () => {
    const urls = [
      'https://accounts.example@evil.example/x',
      'https://a:b@evil.example/',
      'http://:b@evil.example/',
    ];
    const elicitations = urls.map((url) => ({ url }));
    expect(readSignInPages(failure(-32042, { elicitations }))).toEqual([]);
  });

  test('are not looked for in other failures', () => {
    const elicitations = [{ url: 'https://sign.example/' }];
    expect(readSignInPages(failure(-32000, { elicitations }))).toEqual([]);
    expect(readSignInPages(failure(-32042, 'nothing'))).toEqual([]);
    expect(readSignInPages(new CasementError('tool-failed', 'refused'))).toEqual([]);
  });
});

import { createSandboxPolicy } from '@casement/sandbox';
import { toAppCsp } from '@casement/sandbox/address';
import { describe, expect, it } from 'vitest';
import { toAllowingMetadata, toCombinedLine } from './allowing-metadata.js';

const host = { hostOrigin: 'http://casement.localhost:6270', base: 'http://casement.localhost:6271' };
const toPolicy = (csp: unknown) =>
  createSandboxPolicy({ ...host, server: 'any', resourceUri: 'ui://any/app', family: 'mcp-apps', csp })
    .policy;

describe('toAllowingMetadata', () => {
  it.each([
    ['connect-src', 'https://api.example.com/v1?x=1', 'connectDomains', 'https://api.example.com'],
    ['connect-src', 'wss://live.example.com:8443/feed', 'connectDomains', 'wss://live.example.com:8443'],
    ['script-src-elem', 'https://cdn.example.com/a.js', 'resourceDomains', 'https://cdn.example.com'],
    ['style-src-elem', 'https://cdn.example.com/a.css', 'resourceDomains', 'https://cdn.example.com'],
    [
      "script-src 'self' 'unsafe-inline'",
      'https://cdn.example.com',
      'resourceDomains',
      'https://cdn.example.com',
    ],
    ['img-src', 'HTTPS://Pics.Example.com/p.png', 'resourceDomains', 'https://pics.example.com'],
    ['media-src', 'https://v.example.com/v.mp4', 'resourceDomains', 'https://v.example.com'],
    ['font-src', 'https://fonts.example.com/f.woff2', 'resourceDomains', 'https://fonts.example.com'],
    ['frame-src', 'https://player.example.com/embed/1', 'frameDomains', 'https://player.example.com'],
    ['base-uri', 'https://base.example.com/', 'baseUriDomains', 'https://base.example.com'],
  ] as const)('%s %s: gives a line that the sandbox takes', (directive, blockedUri, field, origin) => {
    const remedy = toAllowingMetadata({ directive, blockedUri });
    const line = `"_meta": { "ui": { "csp": { "${field}": ["${origin}"] } } }`;
    expect(remedy).toEqual({ kind: 'metadata', field, origin, line });
    // The line is what an author pastes: it must be JSON, and the policy made from it must name the origin.
    const csp: unknown = JSON.parse(`{${line}}`)._meta.ui.csp;
    const header = toAppCsp(toPolicy(csp), {
      kind: 'origin',
      proxyOrigin: 'http://sandbox.casement.localhost:6271',
    });
    const name = directive.split(' ')[0]?.replace('-elem', '') ?? '';
    expect(header.split('; ').find((part) => part.startsWith(`${name} `))).toContain(origin);
  });

  it.each([
    ['script-src', 'eval', /eval/, /compile/],
    ['script-src', 'wasm-eval', /WebAssembly/, /server/],
    ['script-src-elem', 'inline', /stricter policy/, /<meta/],
    ['script-src-attr', 'inline', /stricter policy/, /<meta/],
    ['style-src-attr', 'inline', /stricter policy/, /<meta/],
    ['worker-src', 'https://cdn.example.com/w.js', /blob:/, /Blob/],
    ['form-action', 'https://a.example/post', /never sent/, /tool/],
    ['sandbox', 'https://a.example/page', /opens no tab/, /ui\/open-link/],
    ['object-src', 'https://a.example/x.swf', /never/, /frame/],
    ['frame-ancestors', 'https://a.example', /Only the host/, /origin/],
    ['connect-src', 'data', /data: address/, /Decode/],
    ['connect-src', 'blob', /blob: address/, /Decode/],
    ['font-src', 'data', /data: address/, /resourceDomains/],
    ['frame-src', 'data:text/html,x', /data: address/, /own document/],
    ['script-src-elem', 'blob', /blob: address/, /inline/],
    ['connect-src', 'http://127.0.0.1:3000/api', /this machine/, /tool/],
    ['connect-src', 'https://192.168.1.4/', /private network/, /tool/],
    ['connect-src', 'https://[::1]:3000/', /IPv6/, /tool/],
    ['manifest-src', 'https://a.example/m.json', /manifest-src/, /another way/],
    ['', '', /this directive/, /another way/],
  ])('%s %s: says that no metadata allows it, and what to do', (directive, blockedUri, reason, instead) => {
    const remedy = toAllowingMetadata({ directive, blockedUri });
    expect(remedy).toMatchObject({ kind: 'none', reason: expect.stringMatching(reason) });
    expect(remedy).toMatchObject({ instead: expect.stringMatching(instead) });
    expect(remedy).not.toHaveProperty('line');
  });

  it.each([
    ['connect-src', 'http://api.example.com/x', 'https://api.example.com'],
    ['connect-src', 'ws://api.example.com:81/x', 'wss://api.example.com:81'],
    ['img-src', 'http://pics.example.com/x.png', 'https://pics.example.com'],
  ])('%s %s: offers the encrypted origin in its place', (directive, blockedUri, better) => {
    const remedy = toAllowingMetadata({ directive, blockedUri });
    expect(remedy).toMatchObject({ kind: 'none', reason: expect.stringContaining('not encrypted') });
    expect(remedy).toMatchObject({ line: expect.stringContaining(`["${better}"]`) });
  });

  it('keeps what is allowed already, so that the line can replace the old one', () => {
    const policy = toPolicy({ connectDomains: ['https://b.example', 'https://c.example'] });
    const remedy = toAllowingMetadata(
      { directive: 'connect-src', blockedUri: 'https://a.example/x' },
      { policy },
    );
    const list = '["https://a.example", "https://b.example", "https://c.example"]';
    expect(remedy).toMatchObject({ line: `"_meta": { "ui": { "csp": { "connectDomains": ${list} } } }` });
  });

  it('puts everything that can be allowed into one csp, with what is in force', () => {
    const policy = toPolicy({ resourceDomains: ['https://cdn.example'] });
    const toRemedy = (directive: string, blockedUri: string) =>
      toAllowingMetadata({ directive, blockedUri }, { policy });
    const one = toRemedy('connect-src', 'https://a.example/x');
    const remedies = [one, toRemedy('connect-src', 'https://b.example'), toRemedy('script-src', 'eval')];
    expect(toCombinedLine(remedies, policy)).toBe(
      '"_meta": { "ui": { "csp": { "connectDomains": ["https://a.example", "https://b.example"], "resourceDomains": ["https://cdn.example"] } } }',
    );
    expect(toCombinedLine([one, one], policy)).toBeUndefined();
    expect(toCombinedLine([], policy)).toBeUndefined();
  });

  it('suspects a redirect when the origin is allowed already', () => {
    const policy = toPolicy({ connectDomains: ['https://a.example'] });
    const remedy = toAllowingMetadata(
      { directive: 'connect-src', blockedUri: 'https://a.example/x' },
      { policy },
    );
    expect(remedy).toMatchObject({ kind: 'none', instead: expect.stringContaining('redirects') });
  });

  it('explains a relative address, which leads to the sandbox', () => {
    const appOrigin = 'http://abc.casement.localhost:6271';
    const blocked = { directive: 'connect-src', blockedUri: `${appOrigin}/api` };
    expect(toAllowingMetadata(blocked, { appOrigin })).toMatchObject({
      kind: 'none',
      reason: expect.stringContaining('relative'),
    });
  });

  it('offers no frames where an app has no origin of its own', () => {
    const blocked = { directive: 'frame-src', blockedUri: 'https://player.example.com/' };
    expect(toAllowingMetadata(blocked, { isOpaque: true })).toMatchObject({ kind: 'none' });
  });

  it.each(['https://', 'https://%', '\u202ehttps://x', 'https://a b', '::', 'x'.repeat(5_000)])(
    'stands what a guest may report: %j',
    (blockedUri) => {
      expect(toAllowingMetadata({ directive: 'connect-src', blockedUri }).kind).toBe('none');
    },
  );
});

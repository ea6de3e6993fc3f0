import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { checkResolved, parseForeignAddress } from './address-rules.js';
import { createGuardedFetch } from './guarded-fetch.js';
import { listen } from './protected-server.test-support.js';

const remote = new URL('https://mcp.example.com/mcp');
const local = new URL('http://127.0.0.1:3001/mcp');

describe('an address that metadata names', () => {
  test.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'gopher://example.com/',
    'http://example.com/token',
    'http://localhost/token',
    'https://user:word@example.com/token',
    '$(calc)',
    '',
  ])('is refused (C16): %s', (text) => {
    expect(() => parseForeignAddress(text, remote)).toThrow(
      expect.objectContaining({ code: 'sign-in-unsafe' }),
    );
  });

  test.each([
    'https://127.0.0.1/token',
    'https://2130706433/token',
    'https://0x7f.1/token',
    'https://[::1]/token',
    'https://[::ffff:127.0.0.1]/token',
    'https://[::ffff:10.0.0.1]/token',
    'https://[::ffff:0:127.0.0.1]/token',
    'https://[::127.0.0.1]/token',
    'https://[2002:7f00:1::]/token',
    'https://0177.0.0.1/token',
    'https://127.1/token',
    'https://①②⑦.0.0.1/token',
    'https://[64:ff9b::a00:1]/token',
    'https://[fe80::1]/token',
    'https://[fd00::1]/token',
    'https://0.0.0.0/token',
    'https://10.1.2.3/token',
    'https://100.64.0.1/token',
    'https://169.254.169.254/latest/meta-data',
    'https://172.31.0.1/token',
    'https://192.168.1.1/token',
  ])('inside this network is refused (C14): %s', (text) => {
    expect(() => parseForeignAddress(text, remote)).toThrow(
      expect.objectContaining({ code: 'sign-in-unsafe' }),
    );
  });

  test('on the internet is taken, without what follows a #', () => {
    expect(parseForeignAddress('https://auth.example.com/a?b=c#d', remote).href).toBe(
      'https://auth.example.com/a?b=c',
    );
    expect(parseForeignAddress('https://93.184.216.34/', remote).hostname).toBe('93.184.216.34');
  });

  test("inside this network is taken if it is the server's own host, or both are this machine", () => {
    const inside = new URL('https://10.0.0.5:8443/mcp');
    expect(parseForeignAddress('https://10.0.0.5/token', inside).host).toBe('10.0.0.5');
    expect(() => parseForeignAddress('https://10.0.0.6/token', inside)).toThrow();
    expect(() => parseForeignAddress('http://10.0.0.5/token', inside)).toThrow();
    expect(parseForeignAddress('http://localhost:4000/token', local).host).toBe('localhost:4000');
    expect(() => parseForeignAddress('https://192.168.1.1/token', local)).toThrow();
  });

  test('is judged again by what its name stands for (C15)', () => {
    const url = new URL('https://auth.example.com/token');
    for (const address of ['127.0.0.1', '::1', '10.0.0.1', '169.254.169.254', '::ffff:192.168.0.1'])
      expect(() => checkResolved(address, url, remote)).toThrow(/inside this network/);
    expect(() => checkResolved('93.184.216.34', url, remote)).not.toThrow();
    expect(() => checkResolved('2606:4700::1', url, remote)).not.toThrow();
  });
});

describe('the fetch of a sign-in', () => {
  test('connects to no name that stands for this machine (C15)', async () => {
    const reached: string[] = [];
    const origin = await listen((request, response) => {
      reached.push(request.url ?? '');
      response.end('{}');
    });
    const { port } = new URL(origin);
    const fetch = createGuardedFetch(remote);
    // The names resolve to loopback, whatever their scheme.
    for (const name of ['localhost', 'localhost.', 'login.localhost'])
      await expect(fetch(`https://${name}:${port}/`)).rejects.toMatchObject({
        code: expect.stringMatching(/^sign-in-(unsafe|failed)$/),
      });
    expect(reached).toEqual([]);
  });

  test('reads a short answer, sends a form', async () => {
    const origin = await listen((request, response) => {
      let text = '';
      request.on('data', (piece: Buffer) => (text += piece.toString()));
      request.on('end', () => {
        const type = request.headers['content-type'];
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ text, type }));
      });
    });
    const answer = await createGuardedFetch(local)(`${origin}/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ a: 'b c' }),
    });
    expect(await answer.json()).toEqual({ text: 'a=b+c', type: 'application/x-www-form-urlencoded' });
  });

  test.each([
    ['huge', (response: ServerResponse) => void response.end('x'.repeat(64 * 1024 + 1)), /64 KB/],
    [
      'endless',
      (response: ServerResponse) => {
        const timer = setInterval(() => response.write('x'.repeat(16 * 1024)), 5);
        response.on('close', () => clearInterval(timer));
      },
      /64 KB/,
    ],
    [
      'compressed',
      (response: ServerResponse) =>
        void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(9_000_000))),
      /not asked for/,
    ],
    ['never there', () => undefined, /did not answer within 0.2 s/],
    ['cut off', (response: ServerResponse) => void response.socket?.destroy(), /could not be reached/],
  ])('gives up on an answer that is %s', async (_what, answer, words) => {
    const origin = await listen((_request, response) => {
      answer(response);
    });
    const fetch = createGuardedFetch(local, {
      maxBytes: 64 * 1024,
      timeoutMs: _what === 'never there' ? 200 : 10_000,
    });
    await expect(fetch(origin)).rejects.toMatchObject({
      code: 'sign-in-failed',
      message: expect.stringMatching(words),
    });
  });

  test('follows no redirect to another origin, and none of a POST (C14)', async () => {
    const reached: string[] = [];
    const other = await listen((request, response) => {
      reached.push(request.url ?? '');
      response.end('{}');
    });
    const origin = await listen((request, response) => {
      const location = request.url === '/inside' ? '/there' : `${other}/steal`;
      response.writeHead(307, { location }).end();
    });
    const fetch = createGuardedFetch(local);
    const refused = { code: 'sign-in-unsafe', message: expect.stringContaining('redirects') };
    await expect(fetch(origin)).rejects.toMatchObject(refused);
    await expect(fetch(`${origin}/inside`, { method: 'POST', body: 'x' })).rejects.toMatchObject(refused);
    // The official client asks for this one itself.
    expect((await fetch(`${origin}/inside`)).status).toBe(307);
    expect(reached).toEqual([]);
  });
});

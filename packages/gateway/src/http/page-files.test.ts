import { createHash } from 'node:crypto';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createFolder, createPageFolder, portOf, send, start } from '../gateway.test-support.js';

test('the page comes with a policy that frames only the sandbox and runs only its own scripts', async () => {
  const gateway = await start();
  const port = portOf(gateway);
  for (const path of ['/', '/index.html', '/?server=a&run=1', '/nothing.html']) {
    const { headers } = await send(port, path);
    const csp = headers['content-security-policy'] ?? '';
    const policy = new Map(
      csp
        .toString()
        .split('; ')
        .map((part) => [part.split(' ')[0], part]),
    );
    const sandboxes = `http://sandbox.casement.localhost:${port + 1} http://127.0.0.1:${port + 1}`;
    expect(policy.get('frame-src')).toBe(`frame-src ${sandboxes}`);
    expect(policy.get('connect-src')).toBe(`connect-src 'self' ${sandboxes}`);
    expect(policy.get('default-src')).toBe("default-src 'none'");
    expect(policy.get('script-src')).toBe("script-src 'self'");
    expect(policy.get('style-src')).toBe("style-src 'self'");
    expect(policy.get('frame-ancestors')).toBe("frame-ancestors 'none'");
    expect(policy.get('require-trusted-types-for')).toBe("require-trusted-types-for 'script'");
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
  }
});

test('hashed assets are kept by the browser, the page itself never', async () => {
  const port = portOf(await start());
  const page = await send(port, '/');
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.headers['cache-control']).toBe('no-store');
  const asset = await send(port, '/assets/main-Ab12Cd34.js');
  expect(asset.headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(asset.headers['cache-control']).toContain('immutable');
});

test('no path leads out of the page folder', async () => {
  const pageDir = createPageFolder();
  const secret = createFolder();
  writeFileSync(join(secret, 'secret.txt'), 'top secret');
  writeFileSync(join(pageDir, '.hidden.txt'), 'top secret');
  symlinkSync(join(secret, 'secret.txt'), join(pageDir, 'link.txt'));
  symlinkSync(secret, join(pageDir, 'folder'));
  const port = portOf(await start({ pageDir }));
  const name = secret.split('/').at(-1) ?? '';
  const paths = [
    `/../${name}/secret.txt`,
    `/assets/../../${name}/secret.txt`,
    `/%2e%2e/${name}/secret.txt`,
    `/..%2f${name}%2fsecret.txt`,
    `/assets/..%5c..%5c${name}%5csecret.txt`,
    '/link.txt',
    '/folder/secret.txt',
    '/.hidden.txt',
    '/index.html%00.txt',
    '/%',
    '/assets',
    '/assets/',
  ];
  for (const path of paths) {
    const { status, body } = await send(port, path);
    expect({ path, status }).toEqual({ path, status: 404 });
    expect(body).not.toContain('top secret');
  }
});

test('the page and its files never contain the token', async () => {
  const gateway = await start();
  const port = portOf(gateway);
  for (const path of ['/', '/assets/main-Ab12Cd34.js', '/nothing']) {
    const { body, headers } = await send(port, path);
    expect(`${body}${JSON.stringify(headers)}`).not.toContain(gateway.token);
  }
  expect(new URL(gateway.url).hash).toBe(`#token=${gateway.token}`);
  expect(new URL(gateway.url).search).toBe('');
});

const sha256 = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

test('what stands in a document of the page runs by its hash, and only there', async () => {
  const pageDir = createPageFolder();
  const html =
    '<!doctype html><script>start()</script><style>a{}</style><script>then()</script><script src="/x.js"></script><p onclick="no()">';
  writeFileSync(join(pageDir, 'index.html'), html);
  const port = portOf(await start({ pageDir }));
  const policyOf = async (path: string): Promise<string> =>
    String((await send(port, path)).headers['content-security-policy']);
  const policy = await policyOf('/');
  expect(policy).toContain(`; script-src 'self' ${sha256('start()')} ${sha256('then()')}; `);
  expect(policy).toContain(`; style-src 'self' ${sha256('a{}')}; `);
  expect(policy).not.toContain('unsafe');
  for (const path of ['/assets/main-Ab12Cd34.js', '/nothing.html'])
    expect(await policyOf(path)).toContain("; script-src 'self'; style-src 'self'; ");
});

test('a file comes compressed to a browser that takes that, and says what it depends on', async () => {
  const pageDir = createPageFolder();
  const script = join(pageDir, 'assets', 'main-Ab12Cd34.js');
  writeFileSync(`${script}.br`, brotliCompressSync('export {};'));
  writeFileSync(`${script}.gz`, gzipSync('export {};'));
  writeFileSync(join(pageDir, 'index.html.gz'), gzipSync('<!doctype html><title>Page</title>'));
  const port = portOf(await start({ pageDir }));
  const encodingOf = async (path: string, accept?: string) => {
    const { status, headers } = await send(port, path, {
      headers: accept === undefined ? {} : { 'accept-encoding': accept },
    });
    expect(status).toBe(200);
    expect(headers['vary']).toBe('Accept-Encoding');
    return {
      encoding: headers['content-encoding'],
      cache: headers['cache-control'],
      type: headers['content-type'],
    };
  };
  const cases: [accept: string | undefined, encoding: string | undefined][] = [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['BR ; Q=0.001', 'br'],
    ['br;q=0.000,gzip;q=0', undefined],
    ['identity', undefined],
    ['*', undefined],
    ['xbr, brx', undefined],
    [undefined, undefined],
  ];
  for (const [accept, encoding] of cases)
    expect([accept, await encodingOf('/assets/main-Ab12Cd34.js', accept)]).toEqual([
      accept,
      { encoding, cache: 'public, max-age=31536000, immutable', type: 'text/javascript; charset=utf-8' },
    ]);
  // The document has one form only, and stays one that no cache keeps.
  expect(await encodingOf('/', 'br')).toMatchObject({ encoding: undefined, cache: 'no-store' });
  expect(await encodingOf('/', 'br, gzip')).toMatchObject({ encoding: 'gzip', cache: 'no-store' });
  for (const path of ['/index.html.gz', '/assets/main-Ab12Cd34.js.br', '/assets/main-Ab12Cd34.js.gz'])
    expect([path, (await send(port, path)).status]).toEqual([path, 404]);
});

test('a compressed form that leads out of the folder is not part of the page', async () => {
  const pageDir = createPageFolder();
  const secret = join(createFolder(), 'secret.txt');
  writeFileSync(secret, 'top secret');
  symlinkSync(secret, join(pageDir, 'index.html.br'));
  symlinkSync(createFolder(), join(pageDir, 'index.html.gz'));
  const port = portOf(await start({ pageDir }));
  const { status, headers, body } = await send(port, '/', { headers: { 'accept-encoding': 'br, gzip' } });
  expect({ status, encoding: headers['content-encoding'] }).toEqual({ status: 200, encoding: undefined });
  expect(body).toContain('<title>Page</title>');
});

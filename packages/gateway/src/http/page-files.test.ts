import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { portOf, send, start, stdio, type Answer } from '../gateway.test-support.js';

/** Bytes exactly as given: what no HTTP client would send. */
const sendRaw = (port: number, bytes: string, host = '127.0.0.1'): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, host);
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('close', () => {
      resolve(text);
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (text === '') reject(error);
    });
    socket.write(bytes);
  });

test('every API path needs the token, from the header only, and says nothing more', async () => {
  const gateway = await start({ servers: [stdio('a')] });
  const port = portOf(gateway);
  const refused: Answer[] = [
    await send(port, '/api/servers'),
    await send(port, '/api/events'),
    await send(port, '/api/events?stream=of-a-stranger'),
    await send(port, '/api/servers/a/resources/templates'),
    await send(port, '/api/servers/a/prompts'),
    await send(port, '/api/servers/a/resources/subscribe', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"uri":"ui://x","caller":"app","stream":"of-a-stranger"}',
    }),
    await send(port, '/api/nothing'),
    await send(port, `/api/servers?token=${gateway.token}`),
    ...(await Promise.all(
      [
        '',
        'Bearer',
        'Bearer ',
        'Bearer wrong',
        `Bearer ${gateway.token}x`,
        `Bearer ${gateway.token.slice(1)}`,
        gateway.token,
        `Basic ${gateway.token}`,
        `Bearer ${'y'.repeat(100_000)}`,
      ].map((authorization) => send(port, '/api/servers', { headers: { authorization } })),
    )),
  ];
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 401));
  for (const { body } of refused) expect(body).not.toContain(gateway.token.slice(0, 8));
  const allowed = await send(port, '/api/servers', { headers: { authorization: `Bearer ${gateway.token}` } });
  expect(allowed.status).toBe(200);
});

test('tokens are 256 random bits, anew for each launch', async () => {
  const [first, second] = [await start(), await start()];
  expect(Buffer.from(first.token, 'base64url')).toHaveLength(32);
  expect(first.token).not.toBe(second.token);
});

test('a foreign Host is refused on every path, the page included', async () => {
  const gateway = await start();
  const port = portOf(gateway);
  const headers = { authorization: `Bearer ${gateway.token}` };
  const foreign = [
    'evil.test',
    `evil.test:${port}`,
    `localhost.evil.test:${port}`,
    `127.0.0.1.nip.io:${port}`,
    `localhost:${port + 1}`,
    `localhost:${port}0`,
    'localhost',
    `LOCALHOST:${port}`,
    `localhost.:${port}`,
    `0.0.0.0:${port}`,
    `sandbox.casement.localhost:${port}`,
    `user@localhost:${port}`,
  ];
  for (const host of foreign) {
    for (const path of ['/', '/index.html', '/api/servers', '/api/events', '/nothing']) {
      const { status } = await send(port, path, { headers: { ...headers, host } });
      expect({ host, path, status }).toEqual({ host, path, status: 403 });
    }
  }
  for (const host of ['localhost', 'casement.localhost', '127.0.0.1', '[::1]']) {
    expect((await send(port, '/', { headers: { host: `${host}:${port}` } })).status).toBe(200);
    const api = await send(port, '/api/status', { headers: { ...headers, host: `${host}:${port}` } });
    expect(api.status).toBe(200);
  }
});

test('a missing, doubled or contradicted Host is refused', async () => {
  const port = portOf(await start());
  const good = `Host: localhost:${port}\r\n`;
  const close = 'Connection: close\r\n\r\n';
  const requests = [
    `GET / HTTP/1.1\r\n${close}`,
    `GET / HTTP/1.0\r\n${close}`,
    `GET / HTTP/1.1\r\n${good}Host: evil.test\r\n${close}`,
    `GET / HTTP/1.1\r\nHost: evil.test\r\n${good}${close}`,
    `GET http://evil.test/ HTTP/1.1\r\n${good}${close}`,
    `GET http://localhost:${port}/ HTTP/1.1\r\nHost: evil.test\r\n${close}`,
  ];
  for (const bytes of requests) expect(await sendRaw(port, bytes)).toMatch(/^HTTP\/1\.1 403 /);
  expect(await sendRaw(port, `GET / HTTP/1.1\r\n${good}${close}`)).toMatch(/^HTTP\/1\.1 200 /);
});

test('the API answers no foreign Origin, no sandboxed app and no other site, even with the token', async () => {
  const gateway = await start();
  const port = portOf(gateway);
  const authorization = `Bearer ${gateway.token}`;
  const own = `http://localhost:${port}`;
  const foreign = [
    'http://evil.test',
    'null',
    `http://localhost:${port + 2}`,
    `https://localhost:${port}`,
    // Another name of ours is another origin.
    `http://casement.localhost:${port}`,
    gateway.sandboxOrigin,
    `http://${'a'.repeat(52)}.casement.localhost:${port + 1}`,
    `http://${'a'.repeat(52)}.localhost:${port + 1}`,
    `http://127.0.0.1:${port + 1}`,
  ];
  for (const origin of foreign) {
    for (const path of ['/api/servers', '/api/events']) {
      const { status } = await send(port, path, { headers: { authorization, origin } });
      expect({ origin, path, status }).toEqual({ origin, path, status: 403 });
    }
  }
  for (const site of ['cross-site', 'same-site', 'none']) {
    for (const path of ['/api/servers', '/api/events']) {
      const { status } = await send(port, path, { headers: { authorization, 'sec-fetch-site': site } });
      expect(status).toBe(403);
    }
  }
  const headers = { authorization, origin: own, 'sec-fetch-site': 'same-origin' };
  expect((await send(port, '/api/servers', { headers })).status).toBe(200);
});

test('sandbox origins are refused by name on the whole page server', async () => {
  const gateway = await start();
  const port = portOf(gateway);
  const onOtherSite = `http://${'a'.repeat(52)}.localhost:${port + 1}`;
  for (const origin of [gateway.sandboxOrigin, onOtherSite, `http://127.0.0.1:${port + 1}`, 'null']) {
    const { status, body } = await send(port, '/', { headers: { origin } });
    expect(status).toBe(403);
    expect(body).toContain('Sandboxed apps');
  }
});

test('a body that a form could send is refused before it is read', async () => {
  const gateway = await start({ servers: [stdio('a')] });
  const port = portOf(gateway);
  const body = '{"name":"echo","caller":"user","callId":"1"}';
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', '']) {
    const { status } = await send(port, '/api/servers/a/tools/call', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.token}`,
        ...(type !== '' && { 'content-type': type }),
      },
      body,
    });
    expect({ type, status }).toEqual({ type, status: 403 });
  }
  const good = await send(port, '/api/servers/a/tools/call', {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json; charset=utf-8' },
    body,
  });
  expect(good.status).toBe(200);
});

test('no answer carries CORS headers or cookies, and preflights are refused', async () => {
  const gateway = await start();
  const port = portOf(gateway);
  const preflight = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  };
  const answers = [
    await send(port, '/api/servers', {
      method: 'OPTIONS',
      headers: { origin: 'http://evil.test', ...preflight },
    }),
    await send(port, '/api/servers', {
      method: 'OPTIONS',
      headers: { origin: gateway.sandboxOrigin, ...preflight },
    }),
    await send(port, '/api/servers', {
      method: 'OPTIONS',
      headers: { origin: `http://localhost:${port}`, ...preflight },
    }),
  ];
  for (const { status } of answers) expect(status).toBe(403);
  const others = [
    await send(port, '/'),
    await send(port, '/api/servers', { headers: { authorization: `Bearer ${gateway.token}` } }),
    await send(port + 1, '/probe', { headers: { host: `sandbox.casement.localhost:${port + 1}` } }),
  ];
  for (const { headers } of [...answers, ...others]) {
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(headers['set-cookie']).toBeUndefined();
  }
});

test('a body over 8 MB is refused with 413', async () => {
  const gateway = await start({ servers: [stdio('a')] });
  const { status } = await send(portOf(gateway), '/api/servers/a/tools/call', {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'echo',
      caller: 'user',
      callId: '1',
      arguments: { x: 'y'.repeat(9_000_000) },
    }),
  });
  expect(status).toBe(413);
});

test('malformed JSON and wrong fields are 400, unknown servers and paths 404', async () => {
  const gateway = await start({ servers: [stdio('a')] });
  const port = portOf(gateway);
  const headers = { authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json' };
  const post = (path: string, body: string) => send(port, path, { method: 'POST', headers, body });
  expect((await post('/api/servers/a/tools/call', '{"name":')).status).toBe(400);
  expect(
    (await post('/api/servers/a/tools/call', '{"name":"echo","caller":"root","callId":"1"}')).status,
  ).toBe(400);
  expect((await post('/api/servers/__proto__/restart', '{}')).status).toBe(404);
  expect((await send(port, '/api/servers/b/tools', { headers })).status).toBe(404);
  expect((await send(port, '/api/token', { headers })).status).toBe(404);
});

test('sec-B11 a full cookie jar is served, and a request that is too long takes no cookie away', async () => {
  const port = portOf(await start());
  // What a browser sends at most: 180 cookies of 4 KB each.
  const jar = Array.from({ length: 180 }, (_, index) => `c${index}=${'b'.repeat(4_096)}`).join('; ');
  for (const target of [port, port + 1]) {
    const host = target === port ? `localhost:${port}` : `127.0.0.1:${target}`;
    const full = await send(target, '/probe', { headers: { host, cookie: jar } });
    expect(full.status).toBe(target === port ? 404 : 204);
    const over = await sendRaw(
      target,
      `GET / HTTP/1.1\r\nHost: ${host}\r\nCookie: a=${'b'.repeat(1_200_000)}\r\n\r\n`,
    );
    expect(over).toMatch(/^HTTP\/1\.1 431 /);
    expect(over).not.toMatch(/clear-site-data|set-cookie/i);
  }
});

verifies(['S1-73', 'S1-94'], 'the sandbox server has no API and answers only to its own names', async () => {
  const gateway = await start();
  const port = portOf(gateway) + 1;
  const authorization = `Bearer ${gateway.token}`;
  for (const host of [`sandbox.casement.localhost:${port}`, `127.0.0.1:${port}`]) {
    expect((await send(port, '/api/servers', { headers: { host, authorization } })).status).toBe(404);
    expect((await send(port, '/', { headers: { host } })).status).toBe(404);
    expect((await send(port, '/probe', { headers: { host } })).status).toBe(204);
  }
  const foreign = [
    'evil.test',
    `localhost:${port}`,
    `casement.localhost:${port}`,
    `a.b.casement.localhost:${port}`,
  ];
  for (const host of foreign) {
    const { status, headers } = await send(port, '/probe', { headers: { host } });
    expect({ host, status }).toEqual({ host, status: 403 });
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  }
});

verifies(['S1-82', 'S1-85', 'S1-93'], 'no route stores an app or serves its HTML', async () => {
  const gateway = await start({ servers: [stdio('a')] });
  const port = portOf(gateway);
  const authorization = `Bearer ${gateway.token}`;
  const asked = [
    { method: 'POST', path: '/api/mcp/apps/widget/store', body: '{"toolId":"t"}' },
    { method: 'POST', path: '/api/apps', body: '{"html":"<p>"}' },
    { method: 'GET', path: '/api/mcp/apps/widget-content/t' },
    { method: 'GET', path: '/api/apps/t' },
  ];
  for (const { path, ...more } of asked) {
    const headers = { authorization, ...(more.body && { 'content-type': 'application/json' }) };
    expect({ path, status: (await send(port, path, { ...more, headers })).status }).toEqual({
      path,
      status: 404,
    });
    const host = `127.0.0.1:${port + 1}`;
    const { status } = await send(port + 1, path, { ...more, headers: { ...headers, host } });
    expect([404, 405]).toContain(status);
  }
});

test('nothing listens outside the loopback addresses', async () => {
  const port = portOf(await start());
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4');
  for (const { address } of outside) {
    await expect(sendRaw(port, 'GET / HTTP/1.1\r\n\r\n', address)).rejects.toThrow(/ECONNREFUSED/);
  }
});

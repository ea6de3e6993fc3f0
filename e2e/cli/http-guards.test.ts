import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { beforeAll, expect, test } from 'vitest';
import { callApi } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { sendRaw } from '../support/raw-http.js';
import { fixtureServer } from '../support/server-commands.js';
import { toDeepLink, toStage } from '../support/stage.js';
import { browser, casement, useCasement } from '../support/use-casement.js';

let server: string;

useCasement(['--', ...fixtureServer()]);

beforeAll(async () => {
  server = casement.servers[0]?.name ?? '';
});

type Headers = Record<string, string | string[]>;

const allowedHost = () => ({ Host: `localhost:${casement.port}` });
const bearer = () => ({ Authorization: `Bearer ${casement.token}` });

const get = (path: string, headers: Headers) => sendRaw({ port: casement.port, path, headers });

const call = (headers: Headers, body = JSON.stringify({ name: 'both', caller: 'user', callId: 'guarded' })) =>
  sendRaw({
    port: casement.port,
    path: `/api/servers/${encodeURIComponent(server)}/tools/call`,
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...headers,
    },
    body,
  });

const executed = async () =>
  JSON.stringify(
    (
      await callApi(casement, 'POST', `/api/servers/${encodeURIComponent(server)}/tools/call`, {
        name: 'executed',
        caller: 'user',
        callId: 'count',
      })
    ).body,
  );

test('with the token, the right Host and JSON a call is executed', async () => {
  const answer = await call({ ...allowedHost(), ...bearer() });
  expect(answer.status).toBe(200);
  expect(await executed()).toContain('both');
});

const badTokens: { why: string; headers: Headers }[] = [
  { why: 'no token', headers: {} },
  { why: 'a wrong token', headers: { Authorization: `Bearer ${'0'.repeat(43)}` } },
  { why: 'an empty token', headers: { Authorization: 'Bearer ' } },
  { why: 'another scheme', headers: { Authorization: 'Basic dXNlcjpwYXNz' } },
  { why: 'a very long token', headers: { Authorization: `Bearer ${'x'.repeat(100_000)}` } },
];

test.each(badTokens)('every kind of API request with $why gets 401 and nothing else', async ({ headers }) => {
  const before = await executed();
  for (const path of ['/api/status', '/api/servers', '/api/events', `/api/servers/${server}/tools`]) {
    const answer = await get(path, { ...allowedHost(), ...headers });
    expect(answer.status, path).toBe(401);
    expect(answer.body).not.toContain(casement.token);
  }
  expect((await call({ ...allowedHost(), ...headers })).status).toBe(401);
  expect(await executed()).toBe(before);
});

test('a token in the query or in a cookie does not count', async () => {
  expect((await get(`/api/servers?token=${casement.token}`, allowedHost())).status).toBe(401);
  expect((await get('/api/servers', { ...allowedHost(), Cookie: `token=${casement.token}` })).status).toBe(
    401,
  );
});

test.each([
  'https://evil.example',
  'null',
  'http://localhost:1',
  'http://localhost.evil.example',
  'the sandbox',
  'an app',
])('a request with the Origin of %s is refused though it has the token', async (named) => {
  const { sandboxOrigin } = casement;
  const origins: Record<string, string> = {
    'the sandbox': sandboxOrigin,
    'an app': sandboxOrigin.replace('//sandbox.', `//${'a'.repeat(52)}.`),
  };
  const headers = { ...allowedHost(), ...bearer(), Origin: origins[named] ?? named };
  expect((await call(headers)).status).toBe(403);
  expect((await get('/api/events', headers)).status).toBe(403);
});

// More names, and more ways to send them, are in http-guards.test.ts of the gateway.
test.each(['evil.example', ''])('a request for the Host "%s" is refused on every path', async (name) => {
  const Host = name === '' || name.includes(':') ? name : `${name}:${casement.port}`;
  for (const path of ['/', '/api/servers', '/assets/anything.js', '/no-such-page']) {
    const { status } = await get(path, { ...bearer(), Host });
    expect([400, 403, 421], `${path} answered ${status}`).toContain(status);
  }
});

test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])(
  'a body of type "%s" is refused before it is read',
  async (type) => {
    const before = await executed();
    const { status } = await call({ ...allowedHost(), ...bearer(), 'Content-Type': type });
    expect([403, 415]).toContain(status);
    expect(await executed()).toBe(before);
  },
);

test('a body of unknown length is read, and refused when it grows too large', async () => {
  const chunked = { ...allowedHost(), ...bearer(), 'Transfer-Encoding': 'chunked' };
  const { status, body } = await call(chunked);
  expect({ status, body }).toEqual({ status: 200, body: expect.stringContaining('both: {}') });
  const before = await executed();
  const large = JSON.stringify({
    name: 'both',
    caller: 'user',
    callId: 'large',
    arguments: { x: 'x'.repeat(9e6) },
  });
  expect((await call(chunked, large)).status).toBe(413);
  expect((await call(chunked, '')).status).toBe(400);
  expect(await executed()).toBe(before);
});

test('text/plain without a token, as a foreign page can send it, gets 401 or 403', async () => {
  const { status } = await call({ ...allowedHost(), 'Content-Type': 'text/plain' });
  expect([401, 403]).toContain(status);
});

test('an event stream opened cross-site is refused', async () => {
  const opened = await get('/api/events', { ...allowedHost(), ...bearer(), 'Sec-Fetch-Site': 'cross-site' });
  expect(opened.status).toBe(403);
});

test('an event stream opened by the page itself is served', async () => {
  const origin = `http://localhost:${casement.port}`;
  const headers = { ...allowedHost(), ...bearer(), 'Sec-Fetch-Site': 'same-origin', Origin: origin };
  const opened = await get('/api/events', headers);
  expect(opened.status).toBe(200);
  expect(opened.headers['content-type']).toContain('text/event-stream');
});

test('nothing invites other origins: no answer carries a CORS header', async () => {
  const preflight = {
    Origin: 'https://evil.example',
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization,content-type',
  };
  for (const [port, Host] of [
    [casement.port, `localhost:${casement.port}`],
    [casement.sandboxPort, `127.0.0.1:${casement.sandboxPort}`],
  ] as const)
    for (const path of ['/', '/api/servers', '/probe']) {
      const { headers } = await sendRaw({ port, path, method: 'OPTIONS', headers: { ...preflight, Host } });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
});

test('the page and its neighbours hold no secret', async () => {
  for (const path of [
    '/',
    '/index.html',
    '/..%2f..%2fpackage.json',
    '/%2e%2e/%2e%2e/package.json',
    '/.env',
  ]) {
    const { body } = await get(path, allowedHost());
    expect(body, path).not.toContain(casement.token);
    expect(body, path).not.toContain('"workspaces"');
  }
});

const connects = (address: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: address, port, timeout: 3000 });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.on('connect', () => end(true));
    socket.on('error', () => end(false));
    socket.on('timeout', () => end(false));
  });

test('both ports listen on loopback and on no other address of this machine', async () => {
  const others = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter((entry) => !entry.internal && !entry.address.startsWith('fe80'))
    .map((entry) => entry.address);
  for (const port of [casement.port, casement.sandboxPort]) {
    expect(await connects('127.0.0.1', port)).toBe(true);
    for (const address of others) expect(await connects(address, port), address).toBe(false);
  }
});

test('run=1 without the token fills the form and runs nothing', async () => {
  const before = await executed();
  const page = await (await browser.newContext()).newPage();
  const link = new URL(
    toDeepLink(casement.url, { server, tool: 'well-behaved', args: { asked: 'by a link' }, run: true }),
  );
  link.hash = '';
  await page.goto(link.href);
  const stage = toStage(page);
  await eventually(() => stage.toolArguments.inputValue()).toContain('by a link');
  expect(await stage.status()).toBe('idle');
  expect(await executed()).toBe(before);

  // The same link with the token runs, so it is the missing token that held it back.
  link.hash = new URL(casement.url).hash;
  const allowed = toStage(await (await browser.newContext()).newPage());
  await allowed.page.goto(link.href);
  await allowed.reaches('ready');
  expect(await executed()).not.toBe(before);
});

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { api, createFolder, portOf, send } from '../gateway.test-support.js';
import type { ServerSummary } from '../index.js';
import { createCertificate } from './certificates.test-support.js';
import {
  answerMcp,
  findDeadPort,
  open,
  serveHttp,
  serveHttps,
  serveTcp,
  settle,
  stepOf,
  toStates,
} from './doctor.test-support.js';

const http = (url: string, headers?: Record<string, string>) => ({
  name: 'a',
  kind: 'http' as const,
  url,
  ...(headers && { headers }),
});

test('the steps to an address come from the connection that is used', async () => {
  const port = await serveHttp(answerMcp);
  const gateway = await open([http(`http://localhost:${port}/mcp`)]);
  const server = await settle(gateway);
  expect(toStates(server)).toEqual([
    'name ok',
    'tcp ok',
    'tls skipped',
    'well-known skipped',
    'revision ok',
    'sign-in ok',
    'initialize ok',
    'lists waiting',
  ]);
  expect(stepOf(server, 'tcp')).toMatchObject({
    ms: expect.any(Number),
    verdict: `Connected to 127.0.0.1 port ${port}.`,
  });
  await api(gateway, '/servers/a/tools');
  expect(stepOf(gateway.servers()[0] ?? server, 'lists')).toMatchObject({ state: 'ok', verdict: '1 tool.' });
});

test('a name that nobody has fails at the name, a dead port at the port', async () => {
  const unknown = await settle(await open([http('http://no-such-host.invalid/mcp')]));
  expect(unknown.error).toMatchObject({
    code: 'server-unreachable',
    message: expect.stringMatching(/no machine has the name|no name server answered/),
  });
  expect(stepOf(unknown, 'name')).toMatchObject({ state: 'failed', fix: expect.any(String) });
  expect(stepOf(unknown, 'tcp').state).toBe('skipped');
  const port = await findDeadPort();
  const dead = await settle(await open([http(`http://127.0.0.1:${port}/mcp`)]));
  expect(dead.error).toMatchObject({ code: 'server-unreachable', hint: expect.stringContaining('port') });
  expect(stepOf(dead, 'tcp')).toMatchObject({
    state: 'failed',
    verdict: `Nothing listens at 127.0.0.1 port ${port}.`,
  });
});

test('a port that accepts and never answers fails in time at the handshake, and the gateway goes on', async () => {
  const gateway = await open([http(`http://127.0.0.1:${await serveTcp()}/mcp`)], { requestTimeoutMs: 1500 });
  const { status } = await send(portOf(gateway), '/api/status', {
    headers: { authorization: `Bearer ${gateway.token}` },
  });
  expect(status).toBe(200);
  const server = await settle(gateway);
  expect(server.error?.code).toBe('server-timeout');
  expect([stepOf(server, 'tcp').state, stepOf(server, 'initialize').state]).toEqual(['ok', 'failed']);
});

test('a web page in place of MCP is named as such', async () => {
  const port = await serveHttp((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Shop</title>');
  });
  const server = await settle(await open([http(`http://127.0.0.1:${port}/`)]));
  expect(server.status).toBe('failed');
  expect(server.error?.message).toContain('text/html');
  expect(stepOf(server, 'initialize').state).toBe('failed');
});

const authority = createCertificate('Authority of the test', { isAuthority: true });

test.each([
  ['signs itself', createCertificate('localhost'), 'signed by itself'],
  ['is of an unknown authority', createCertificate('localhost', { by: authority }), 'does not know'],
  ['has expired', createCertificate('localhost', { days: -1 }), /expired|signed by itself/],
  ['is for another host', createCertificate('other.example'), /other names|signed by itself/],
])('a certificate that %s is refused in words', async (_, certificate, words) => {
  const port = await serveHttps(certificate, answerMcp);
  const gateway = await open([
    http(`https://localhost:${port}/mcp`, { Authorization: 'Bearer secret-of-test' }),
  ]);
  const server = await settle(gateway);
  expect(server.error).toMatchObject({ code: 'certificate-refused', hint: expect.any(String) });
  expect(stepOf(server, 'tls')).toMatchObject({ state: 'failed', verdict: expect.stringMatching(words) });
  await api(gateway, '/servers/a/diagnose', {});
  const [asked] = gateway.servers();
  // Asked for, the certificate itself is looked at.
  expect(asked && stepOf(asked, 'tls').verdict).toMatch(/TLS 1\.3; certificate of .*, valid until \d{4}-/);
  expect(JSON.stringify(asked)).not.toContain('secret-of-test');
});

test('plain HTTP behind https is told at the handshake of TLS', async () => {
  const port = await serveHttp(answerMcp);
  const server = await settle(await open([http(`https://127.0.0.1:${port}/mcp`)]));
  expect(stepOf(server, 'tls')).toMatchObject({
    state: 'failed',
    verdict: expect.stringContaining('does not speak TLS'),
  });
});

test('an authority of the user’s own is known by NODE_EXTRA_CA_CERTS; what else is wrong is then told', async () => {
  const file = join(createFolder(), 'authority.pem');
  writeFileSync(file, authority.cert);
  const ports = await Promise.all([
    serveHttps(createCertificate('localhost', { by: authority }), answerMcp),
    serveHttps(createCertificate('localhost', { by: authority, days: -1 }), answerMcp),
    serveHttps(createCertificate('other.example', { by: authority }), answerMcp),
  ]);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      join(import.meta.dirname, '../../test-fixtures/connect-once.mjs'),
      ...ports.map((port) => `https://localhost:${port}/mcp`),
    ],
    { env: { ...process.env, NODE_EXTRA_CA_CERTS: file } },
  );
  // The fixture prints summaries.
  const [good, expired, other] = JSON.parse(stdout) as ServerSummary[];
  if (!good || !expired || !other) throw new Error(`A summary is missing: ${stdout}`);
  expect(good.status).toBe('ready');
  expect(stepOf(good, 'tls').verdict).toMatch(
    /^TLS 1\.3; certificate of localhost, signed by Authority of the test, valid until/,
  );
  expect([expired.error?.code, stepOf(expired, 'tls').verdict]).toEqual([
    'certificate-refused',
    'The certificate has expired.',
  ]);
  expect([other.error?.code, stepOf(other, 'tls').verdict]).toEqual([
    'certificate-refused',
    'The certificate is for other names than the one in the address.',
  ]);
});

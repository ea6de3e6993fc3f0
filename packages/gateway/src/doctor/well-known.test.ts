import type { RequestListener, ServerResponse } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { api } from '../gateway.test-support.js';
import { answerMcp, open, serveHttp, settle, stepOf, toStates } from './doctor.test-support.js';
import { parseChallenge, toSignInVerdict } from './sign-in-words.js';

const RESOURCE = '/.well-known/oauth-protected-resource';

/** A server that asks for a sign-in, and publishes what `documents` say. */
const serveGuarded = async (
  documents: Record<string, (response: ServerResponse) => void>,
  challenge = 'Bearer realm="notes", scope="notes:read", error_description="Sign in first"',
): Promise<{ port: number; asked: string[]; headers: string[] }> => {
  const asked: string[] = [];
  const headers: string[] = [];
  const handle: RequestListener = (request, response) => {
    const path = request.url ?? '';
    if (request.method === 'POST') {
      response.writeHead(401, { 'www-authenticate': challenge }).end();
      return;
    }
    asked.push(path);
    headers.push(JSON.stringify(request.headers));
    const answer = documents[path];
    if (answer) answer(response);
    else response.writeHead(404).end();
  };
  return { port: await serveHttp(handle), asked, headers };
};

const json = (value: unknown) => (response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));

const connect = (port: number, headers?: Record<string, string>) =>
  open([{ name: 'a', kind: 'http', url: `http://127.0.0.1:${port}/mcp`, ...(headers && { headers }) }]);

test('a server that asks for a sign-in is told in words, with where its tokens come from', async () => {
  const elsewhere = await serveGuarded({});
  const issuer = `http://127.0.0.1:${elsewhere.port}`;
  const { port, asked, headers } = await serveGuarded({
    [`${RESOURCE}/mcp`]: json({ authorization_servers: [issuer] }),
  });
  const server = await settle(await connect(port, { Authorization: 'Bearer secret-of-test' }));
  expect(server.error?.code).toBe('server-sign-in');
  expect(toStates(server).slice(3)).toEqual([
    'well-known ok',
    'revision skipped',
    'sign-in failed',
    'initialize skipped',
    'lists skipped',
  ]);
  expect(stepOf(server, 'sign-in').verdict).toBe(
    'The server does not accept the credentials it was given (HTTP 401): it wants Bearer for "notes" with the scopes "notes:read" and says "Sign in first".',
  );
  expect(stepOf(server, 'well-known').verdict).toContain(new URL(issuer).host);
  expect(asked).toContain(`${RESOURCE}/mcp`);
  // Nobody but the server itself was asked, and it got no credentials with that.
  expect([elsewhere.asked, headers.join().includes('secret-of-test')]).toEqual([[], false]);
});

test('the address in the challenge is read only if it is of the same origin', async () => {
  const elsewhere = await serveGuarded({ '/meta': json({ authorization_servers: ['https://a.example'] }) });
  const there = await serveGuarded({}, `Bearer resource_metadata="http://127.0.0.1:${elsewhere.port}/meta"`);
  // With credentials of its own the server is nobody's to sign in to: what is asked is asked by the diagnosis.
  await settle(await connect(there.port, { Authorization: 'Bearer x' }));
  expect(elsewhere.asked).toEqual([]);
  expect(there.asked).toContain(RESOURCE);
});

const huge = `{"authorization_servers":["${'x'.repeat(70_000)}"]}`;

test.each<[string, (response: ServerResponse) => void, RegExp]>([
  ['over 64 KB', (response) => void response.end(huge), /over the limit of 64 KB/],
  ['no JSON', (response) => void response.end('<html>'), /is no JSON/],
  ['a list', json([]), /no JSON object/],
  [
    'without a usable name',
    json({ authorization_servers: ['not an address'] }),
    /names no authorization server/,
  ],
  ['broken at the server', (response) => void response.writeHead(500).end(), /HTTP 500/],
  [
    'at another origin',
    (response) => void response.writeHead(302, { location: 'http://127.0.0.2:1/x' }).end(),
    /another origin/,
  ],
  [
    'led in a circle',
    (response) => void response.writeHead(302, { location: `${RESOURCE}/mcp` }).end(),
    /without an end/,
  ],
])('C30: a document that is %s is refused by name', async (_, answer, words) => {
  const { port } = await serveGuarded({ [`${RESOURCE}/mcp`]: answer });
  const server = await settle(await connect(port));
  expect(stepOf(server, 'well-known')).toMatchObject({
    state: 'failed',
    verdict: expect.stringMatching(words),
    fix: expect.any(String),
  });
  expect(stepOf(server, 'well-known').verdict).toContain('metadata-invalid');
});

test('a document that never comes is given up after ten seconds', async () => {
  const limit = new AbortController();
  const { port } = await serveGuarded({ [`${RESOURCE}/mcp`]: () => limit.abort() });
  // The clock of the limit is the test's: it runs out once the document was asked for.
  const limits = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  onTestFinished(() => limits.mockRestore());
  const server = await settle(await connect(port));
  expect(limits).toHaveBeenCalledWith(10_000);
  expect(stepOf(server, 'well-known').verdict).toContain('within 10 s');
});

test('no documents are a warning where a sign-in is asked for, and nothing where none is', async () => {
  const { port } = await serveGuarded({});
  expect(stepOf(await settle(await connect(port)), 'well-known').state).toBe('warning');
  const gateway = await connect(await serveHttp(answerMcp));
  await settle(gateway);
  const { body } = await api(gateway, '/servers/a/diagnose', {});
  expect(body.server).toMatchObject({
    start: {
      steps: expect.arrayContaining([expect.objectContaining({ name: 'well-known', state: 'skipped' })]),
    },
  });
});

test('a challenge is read for what it says, and nothing else', () => {
  expect(parseChallenge('Bearer realm="a", resource_metadata="https://x.example/m", nonsense')).toEqual({
    scheme: 'Bearer',
    realm: 'a',
    metadata: 'https://x.example/m',
  });
  expect(toSignInVerdict(undefined, false).verdict).toContain('does not say how');
  expect(toSignInVerdict('', false).verdict).toContain('an unnamed scheme');
});

test('a server that repeats the credentials it refuses does not bring them onto the screen', async () => {
  const { port } = await serveGuarded({}, 'Bearer error_description="bad token secret-of-test"');
  const server = await settle(await connect(port, { Authorization: 'Bearer secret-of-test' }));
  expect(stepOf(server, 'sign-in').verdict).toContain('bad token [redacted]');
  expect(JSON.stringify(server)).not.toContain('secret-of-test');
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api, callTool, openEvents, readText, start, waitFor } from '../gateway.test-support.js';
import {
  isActive,
  startIssuer,
  startProtected,
  visitIssuer,
  type ProtectedServer,
} from './protected-server.test-support.js';
import { agree, readSignIn, signIn } from './sign-in.test-support.js';
import type { GatewayOptions, RunningGateway } from '../index.js';

let issuer: string;

beforeAll(async () => {
  issuer = await startIssuer({}, afterAll);
});

const connect = ({ url }: ProtectedServer, more: Partial<GatewayOptions> = {}): Promise<RunningGateway> =>
  start({ servers: [{ name: 'web', kind: 'http', url }], ...more });

const lastToken = ({ seen }: ProtectedServer): string => [...seen].at(-1) ?? '';

describe('a server that wants a sign-in', () => {
  test('is asked about, and works after it', async () => {
    const server = await startProtected(issuer);
    const gateway = await connect(server);
    expect(gateway.servers()).toMatchObject([{ status: 'failed', error: { code: 'server-sign-in' } }]);
    await waitFor(() => readSignIn(gateway)?.question?.issuerHost);
    expect(readSignIn(gateway)).toMatchObject({
      needed: true,
      question: { reason: 'first', issuerHost: new URL(issuer).host, scopes: ['openid', 'mcp:read'] },
      accounts: [],
    });
    const back = await signIn(gateway);
    expect(back.status).toBe(200);
    expect(await back.text()).toContain('You can close this tab');
    expect(gateway.servers()).toMatchObject([{ status: 'ready' }]);
    expect(readSignIn(gateway)).toMatchObject({ needed: false, accounts: [{ isCurrent: true }] });
    expect(readText(await callTool(gateway, 'web', 'read'))).toEqual({ tool: 'read', user: 'ada' });
  });

  test('is sent to with PKCE, state and resource, and only after a yes to its issuer', async () => {
    const server = await startProtected(issuer);
    const gateway = await connect(server);
    await waitFor(() => readSignIn(gateway)?.question?.issuerHost);
    const refused = await api(gateway, '/servers/web/sign-in', { issuerHost: 'login.example.com' });
    expect(refused.body.error).toMatchObject({ code: 'sign-in-unsafe' });
    const address = new URL(await agree(gateway));
    expect(address.origin).toBe(issuer);
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      resource: server.url,
      redirect_uri: `http://127.0.0.1:${new URL(gateway.url).port}/oauth/callback`,
      scope: 'openid mcp:read offline_access',
    });
  });

  test('has its way back pasted where the browser runs on another machine', async () => {
    const gateway = await connect(await startProtected(issuer));
    const back = await visitIssuer(await agree(gateway));
    const paste = (address: string) => api(gateway, '/servers/web/sign-in/paste', { address });
    for (const other of [back.replace('127.0.0.1', 'example.com'), 'no address', 'javascript:alert(1)'])
      expect((await paste(other)).body.error).toMatchObject({ code: 'bad-request' });
    expect(await paste(` ${back}\n`)).toMatchObject({ status: 200, body: { server: { status: 'ready' } } });
    expect((await paste(back)).body.error).toMatchObject({ code: 'sign-in-unknown' });
  });

  test('takes a client that the user registered, where nobody can register by themselves', async () => {
    const closed = await startIssuer({ registration: false });
    const gateway = await connect(await startProtected(closed));
    await expect(agree(gateway)).rejects.toThrow(/give its client ID/);
    const client = { id: 'registered-by-hand', secret: 'secret-of-the-client' };
    expect((await signIn(gateway, 'ada', { client })).status).toBe(200);
    expect(gateway.servers()).toMatchObject([{ status: 'ready' }]);
  });

  test('is left alone if its configuration brings credentials of its own', async () => {
    const { url } = await startProtected(issuer);
    const headers = { Authorization: 'Bearer of-the-user' };
    const gateway = await start({ servers: [{ name: 'web', kind: 'http', url, headers }] });
    expect(gateway.servers()).toMatchObject([{ error: { code: 'server-sign-in' } }]);
    expect(readSignIn(gateway)).toBeUndefined();
    const asked = await api(gateway, '/servers/web/sign-in', { issuerHost: new URL(issuer).host });
    expect(asked.body.error).toMatchObject({ code: 'bad-request' });
  });
});

describe('calls that meet a 401', () => {
  test('raise one question, wait for it and go on', async () => {
    const gateway = await connect(await startProtected(issuer, { isLazy: true }));
    expect(gateway.servers()).toMatchObject([{ status: 'ready' }]);
    expect(readSignIn(gateway)).toBeUndefined();
    const { events } = await openEvents(gateway);
    const calls = ['app', 'model', 'user'].map((caller) => callTool(gateway, 'web', 'read', { caller }));
    await waitFor(() => readSignIn(gateway)?.question?.waiting === 3);
    await signIn(gateway);
    for (const answer of await Promise.all(calls)) expect(readText(answer)).toMatchObject({ user: 'ada' });
    const needed = events.filter((event) => JSON.stringify(event).includes('"step":"needed"'));
    expect(needed).toHaveLength(1);
  });

  test('fail after a no, and then at once', async () => {
    const gateway = await connect(await startProtected(issuer, { isLazy: true }));
    const call = callTool(gateway, 'web', 'read');
    await waitFor(() => readSignIn(gateway)?.question?.waiting === 1);
    await api(gateway, '/servers/web/sign-in/decline', {});
    expect((await call).body.error).toMatchObject({ code: 'server-sign-in' });
    expect((await callTool(gateway, 'web', 'read')).body.error).toMatchObject({ code: 'server-sign-in' });
    await signIn(gateway);
    expect(readText(await callTool(gateway, 'web', 'read'))).toMatchObject({ user: 'ada' });
  });

  test('do not wait for ever, and not after they were cancelled', async () => {
    const server = await startProtected(issuer, { isLazy: true });
    const gateway = await connect(server, { signIn: { waitMs: 50 } });
    expect((await callTool(gateway, 'web', 'read')).body.error).toMatchObject({
      code: 'server-sign-in',
      hint: 'Nobody signed in meanwhile.',
    });
    const patient = await connect(server);
    const call = callTool(patient, 'web', 'read', { callId: 'one' });
    await waitFor(() => readSignIn(patient)?.question?.waiting === 1);
    await api(patient, '/servers/web/calls/one/cancel', {});
    expect((await call).body.error).toMatchObject({ code: 'cancelled' });
    expect(readSignIn(patient)?.question?.waiting).toBe(0);
  });

  test('ask again when the server wants more scopes, and name them', async () => {
    const gateway = await connect(await startProtected(issuer));
    await signIn(gateway);
    const call = callTool(gateway, 'web', 'write', { caller: 'app' });
    await waitFor(() => readSignIn(gateway)?.question?.issuerHost);
    expect(readSignIn(gateway)?.question).toMatchObject({
      reason: 'more-scopes',
      scopes: expect.arrayContaining(['mcp:read', 'mcp:write']),
    });
    await signIn(gateway);
    expect(readText(await call)).toEqual({ tool: 'write', user: 'ada' });
    expect(readSignIn(gateway)?.accounts).toMatchObject([{ scopes: expect.arrayContaining(['mcp:write']) }]);
  });
});

describe('a sign-in', () => {
  test('that is over is renewed, once for many calls', async () => {
    const server = await startProtected(issuer);
    const gateway = await connect(server);
    const { events } = await openEvents(gateway);
    await signIn(gateway);
    const before = lastToken(server);
    const [account] = readSignIn(gateway)?.accounts ?? [];
    await api(gateway, '/servers/web/accounts/expire', { account: account?.id });
    const answers = await Promise.all([1, 2, 3].map(() => callTool(gateway, 'web', 'read')));
    for (const answer of answers) expect(readText(answer)).toMatchObject({ user: 'ada' });
    expect(lastToken(server)).not.toBe(before);
    const isRenewal = (event: unknown) => JSON.stringify(event).includes('"step":"renewed"');
    await waitFor(() => events.some(isRenewal));
    expect(events.filter(isRenewal)).toHaveLength(1);
    expect(readSignIn(gateway)).toMatchObject({ needed: false, accounts: [{ id: account?.id }] });
  });

  test('whose tokens live shortly goes on', async () => {
    const short = await startIssuer({ accessTokenTtl: 1 });
    const server = await startProtected(short);
    const gateway = await connect(server);
    await signIn(gateway);
    for (let call = 0; call < 3; call += 1)
      expect(readText(await callTool(gateway, 'web', 'read'))).toMatchObject({ user: 'ada' });
    expect(server.seen.size).toBeGreaterThan(2);
  });

  test('that the server does not take any more is renewed', async () => {
    const server = await startProtected(issuer);
    const gateway = await connect(server);
    await signIn(gateway);
    server.refused.add(lastToken(server));
    expect(readText(await callTool(gateway, 'web', 'read'))).toMatchObject({ user: 'ada' });
    expect(server.refused).not.toContain(lastToken(server));
  });

  test('that was revoked is asked for again, and the call goes on', async () => {
    const server = await startProtected(issuer);
    const gateway = await connect(server);
    const client = new URL(await agree(gateway)).searchParams.get('client_id') ?? '';
    await signIn(gateway);
    const body = new URLSearchParams({ token: lastToken(server), client_id: client });
    expect((await fetch(`${issuer}/token/revocation`, { method: 'POST', body })).status).toBe(200);
    const call = callTool(gateway, 'web', 'read', { caller: 'app' });
    await waitFor(() => readSignIn(gateway)?.question?.issuerHost);
    expect(readSignIn(gateway)?.question).toMatchObject({ reason: 'over', account: expect.any(String) });
    await signIn(gateway);
    expect(readText(await call)).toMatchObject({ user: 'ada' });
    expect(readSignIn(gateway)?.accounts).toHaveLength(1);
  });

  test('that is ended is forgotten, and revoked at the issuer', async () => {
    const server = await startProtected(issuer);
    const gateway = await connect(server);
    await signIn(gateway);
    const token = lastToken(server);
    expect(await isActive(issuer, token)).toBe(true);
    const [account] = readSignIn(gateway)?.accounts ?? [];
    const out = await api(gateway, '/servers/web/accounts/sign-out', { account: account?.id });
    expect(out).toMatchObject({ status: 200, body: { isRevoked: true, server: { status: 'failed' } } });
    expect(await isActive(issuer, token)).toBe(false);
    expect(readSignIn(gateway)).toMatchObject({ needed: true, accounts: [] });
  });

  test('with two accounts makes two servers of one, and the same person is the same account', async () => {
    const gateway = await connect(await startProtected(issuer));
    const identity = () => gateway.servers()[0]?.identity;
    const nobody = identity();
    await signIn(gateway, 'ada');
    const ada = identity();
    await signIn(gateway, 'grace', { isNewAccount: true });
    const grace = identity();
    expect(new Set([nobody, ada, grace]).size).toBe(3);
    expect(readText(await callTool(gateway, 'web', 'read'))).toMatchObject({ user: 'grace' });
    const [first, second] = readSignIn(gateway)?.accounts ?? [];
    expect([first?.isCurrent, second?.isCurrent]).toEqual([false, true]);
    await api(gateway, '/servers/web/accounts/use', { account: first?.id });
    expect(identity()).toBe(ada);
    expect(readText(await callTool(gateway, 'web', 'read'))).toMatchObject({ user: 'ada' });
    await signIn(gateway, 'grace', { isNewAccount: true });
    expect(identity()).toBe(grace);
    expect(readSignIn(gateway)?.accounts).toHaveLength(2);
  });
});

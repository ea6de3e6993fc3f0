import { randomBytes } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  api,
  callTool,
  createFolder,
  openEvents,
  portOf,
  readText,
  send,
  start,
  stdio,
  waitFor,
} from '../gateway.test-support.js';
import {
  isActive,
  listen,
  readBody,
  sendJson,
  startFakeIssuer,
  startIssuer,
  startProtected,
  visitIssuer,
  type ProtectedServer,
} from './protected-server.test-support.js';
import { agree, readSignIn, signIn } from './sign-in.test-support.js';
import { createRecordStore } from './record-store.js';
import type { GatewayOptions, RunningGateway } from '../index.js';

let issuer: string;

beforeAll(async () => {
  issuer = await startIssuer({}, afterAll);
});

const connect = (
  { url }: Pick<ProtectedServer, 'url'>,
  more: Partial<GatewayOptions> = {},
): Promise<RunningGateway> => start({ servers: [{ name: 'web', kind: 'http', url }], ...more });

const problemOf = (gateway: RunningGateway) => waitFor(() => readSignIn(gateway)?.question?.problem);

const refusal = async (gateway: RunningGateway): Promise<unknown> => {
  const issuerHost = await waitFor(() => readSignIn(gateway)?.question?.issuerHost);
  return (await api(gateway, '/servers/web/sign-in', { issuerHost })).body.error;
};

describe('metadata', () => {
  test.each([
    ['an address inside this network (C14)', 'https://192.168.1.1'],
    ['the metadata of a cloud machine (C14)', 'https://169.254.169.254/latest'],
    ['a file (C16)', 'file:///etc/passwd'],
    ['plain http elsewhere (C16)', 'http://login.example.com'],
  ])('that names %s as the issuer is not followed', async (_what, named) => {
    const server = await startProtected(issuer);
    server.metadata.authorization_servers = [named];
    const gateway = await connect(server);
    expect(await problemOf(gateway)).toMatchObject({
      code: expect.stringMatching(/^sign-in-(unsafe|failed)$/),
    });
    expect(readSignIn(gateway)?.question?.issuerHost).toBeUndefined();
  });

  test.each([
    ['another issuer (C16)', { issuer: 'https://other.example.com' }],
    ['a token endpoint inside this network (C14)', { token_endpoint: 'https://10.0.0.1/token' }],
    ['a page that is no page (C16)', { authorization_endpoint: 'javascript:alert(1)' }],
    ['a page for a shell (C16)', { authorization_endpoint: 'file:///usr/bin/calc' }],
    ['no PKCE', { code_challenge_methods_supported: ['plain'] }],
  ])('of an issuer with %s is refused', async (_what, more) => {
    const fake = await startFakeIssuer((metadata) => ({ ...metadata, ...more }));
    const gateway = await connect(await startProtected(fake));
    expect(await refusal(gateway)).toMatchObject({
      code: expect.stringMatching(/^sign-in-(unsafe|failed)$/),
    });
  });

  test('of another server is refused', async () => {
    const server = await startProtected(issuer);
    server.metadata.resource = 'https://bank.example.com/mcp';
    expect(await problemOf(await connect(server))).toMatchObject({ code: 'sign-in-unsafe' });
  });

  test('that is missing or huge is a named failure, and calls do not wait', async () => {
    const huge = await startFakeIssuer((metadata) => ({ ...metadata, padding: 'x'.repeat(100_000) }));
    expect(await refusal(await connect(await startProtected(huge)))).toMatchObject({
      code: 'sign-in-failed',
      message: expect.stringContaining('64 KB'),
    });
    const nobody = await listen((_request, response) => void response.writeHead(404).end());
    expect(await refusal(await connect(await startProtected(nobody)))).toMatchObject({
      code: 'sign-in-failed',
      message: expect.stringContaining('no metadata'),
    });
    const bare = await listen((_request, response) => void response.writeHead(401).end());
    const gateway = await connect({ url: `${bare}/mcp` });
    expect(await problemOf(gateway)).toMatchObject({ code: 'sign-in-failed' });
  });

  test('that names a document for this client is given its address', async () => {
    const fake = await startFakeIssuer((metadata) => ({
      ...metadata,
      client_id_metadata_document_supported: true,
    }));
    const clientMetadataUrl = 'https://example.com/casement.json';
    const gateway = await connect(await startProtected(fake), { signIn: { clientMetadataUrl } });
    expect(new URL(await agree(gateway)).searchParams.get('client_id')).toBe(clientMetadataUrl);
  });
});

describe('the way back', () => {
  const back = (gateway: RunningGateway, query: string) => send(portOf(gateway), `/oauth/callback?${query}`);

  test('works once, with the state of its attempt alone', async () => {
    const server = await startProtected(issuer);
    const gateway = await connect(server);
    const address = await visitIssuer(await agree(gateway));
    const wrong = new URL(address);
    wrong.searchParams.set('state', 'x'.repeat(43));
    expect((await fetch(wrong)).status).toBe(400);
    expect((await fetch(address)).status).toBe(200);
    expect((await fetch(address)).status).toBe(400);
    expect(gateway.servers()).toMatchObject([{ status: 'ready' }]);
  });

  test('asks the issuer for a token once, whatever the first answer was', async () => {
    let asked = 0;
    const fake = await startFakeIssuer(
      (metadata) => metadata,
      (_request, response) => {
        asked += 1;
        sendJson(response, { error: 'invalid_grant' }, 400);
      },
    );
    const gateway = await connect(await startProtected(fake));
    const state = new URL(await agree(gateway)).searchParams.get('state') ?? '';
    for (let visit = 0; visit < 3; visit += 1)
      expect((await back(gateway, `state=${state}&code=abc`)).status).toBe(400);
    expect(asked).toBe(1);
  });

  test('is closed after ten minutes, and by a newer attempt', async () => {
    let clock = 1_000_000;
    const gateway = await connect(await startProtected(issuer), { now: () => clock });
    const late = await visitIssuer(await agree(gateway));
    clock += 10 * 60_000;
    expect((await fetch(late)).status).toBe(400);
    expect(await problemOf(gateway)).toMatchObject({ code: 'sign-in-unknown' });
    const older = await visitIssuer(await agree(gateway));
    await agree(gateway);
    expect((await fetch(older)).status).toBe(400);
    expect(readSignIn(gateway)?.accounts).toEqual([]);
  });

  test('from another issuer is refused', async () => {
    const gateway = await connect(await startProtected(issuer));
    const address = new URL(await visitIssuer(await agree(gateway)));
    expect(address.searchParams.get('iss')).toBe(issuer);
    address.searchParams.set('iss', 'https://evil.example.com');
    expect((await fetch(address)).status).toBe(400);
    expect(await problemOf(gateway)).toMatchObject({ code: 'sign-in-unsafe' });
    const silent = new URL(await visitIssuer(await agree(gateway)));
    silent.searchParams.delete('iss');
    expect((await fetch(silent)).status).toBe(400);
    expect(readSignIn(gateway)?.accounts).toEqual([]);
  });

  test('tells of a consent that was denied, and of nothing else in foreign words', async () => {
    const gateway = await connect(await startProtected(issuer, { isLazy: true }));
    const call = callTool(gateway, 'web', 'read', { caller: 'app' });
    const forged = new URL(await visitIssuer(await agree(gateway), { isDenied: true }));
    forged.searchParams.set('iss', 'https://evil.example.com');
    expect((await fetch(forged)).status).toBe(400);
    // Who it is from is checked before its words count.
    expect(await problemOf(gateway)).toMatchObject({ code: 'sign-in-unsafe' });
    const again = callTool(gateway, 'web', 'read', { caller: 'app' });
    const address = new URL(await visitIssuer(await agree(gateway), { isDenied: true }));
    address.searchParams.set('error_description', 'no\u202e\u0007<b>');
    const answer = await fetch(address);
    expect(answer.status).toBe(400);
    expect(await answer.text()).not.toMatch(/access_denied|<b>/);
    const problem = await problemOf(gateway);
    expect(problem).toMatchObject({ code: 'sign-in-denied' });
    for (const hidden of ['\u202e', '\u0007']) expect(problem.message).not.toContain(hidden);
    expect((await call).body.error).toMatchObject({ code: 'sign-in-unsafe' });
    expect((await again).body.error).toMatchObject({ code: 'sign-in-denied' });
  });

  test('reflects nothing, runs nothing, and is the only path without the token', async () => {
    const gateway = await connect(await startProtected(issuer));
    const answer = await back(gateway, 'state=%3Cscript%3Ealert(1)%3C/script%3E&error=%3Cimg%3E&code=abc');
    expect(answer.status).toBe(400);
    expect(answer.body).not.toMatch(/script|img|abc/);
    expect(answer.headers).toMatchObject({
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[^;]+; base-uri/,
      ),
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    for (const path of ['sign-in', 'sign-in/paste', 'sign-in/decline', 'accounts/sign-out', 'accounts/use']) {
      const { status } = await send(portOf(gateway), `/api/servers/web/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      expect(status).toBe(401);
    }
    const rebound = await send(portOf(gateway), '/oauth/callback', { headers: { host: 'evil.example.com' } });
    expect(rebound.status).toBe(403);
  });
});

describe('a token', () => {
  test('is not asked for at an endpoint that redirects (C14)', async () => {
    const reached: string[] = [];
    const elsewhere = await listen((request, response) => {
      reached.push(request.url ?? '');
      response.end('{}');
    });
    const fake = await startFakeIssuer(
      (metadata) => metadata,
      (_request, response) => void response.writeHead(307, { location: `${elsewhere}/steal` }).end(),
    );
    const gateway = await connect(await startProtected(fake));
    const state = new URL(await agree(gateway)).searchParams.get('state') ?? '';
    expect((await send(portOf(gateway), `/oauth/callback?state=${state}&code=abc`)).status).toBe(400);
    expect(await problemOf(gateway)).toMatchObject({
      code: 'sign-in-unsafe',
      message: expect.stringContaining('redirects'),
    });
    expect(reached).toEqual([]);
  });

  test('does not follow a server that redirects, not even within its origin', async () => {
    const seen: (string | undefined)[] = [];
    let isMoved = false;
    const inner = await startProtected(issuer);
    const origin = await listen((request, response) => {
      void readBody(request).then(async (body) => {
        if (request.url === '/elsewhere') seen.push(request.headers.authorization);
        if (isMoved && request.url === '/mcp') {
          response.writeHead(307, { location: '/elsewhere' }).end();
          return;
        }
        const { authorization, accept = '' } = request.headers;
        const answer = await fetch(`${inner.origin}${request.url ?? ''}`, {
          method: request.method ?? 'GET',
          headers: { accept, 'content-type': 'application/json', ...(authorization && { authorization }) },
          ...(request.method === 'POST' && { body }),
        });
        const challenge = answer.headers.get('www-authenticate')?.replace(inner.origin, origin);
        const type = answer.headers.get('content-type') ?? 'text/plain';
        response.writeHead(answer.status, {
          'content-type': type,
          ...(challenge !== undefined && { 'www-authenticate': challenge }),
        });
        response.end(await answer.text());
      });
    });
    inner.metadata.resource = `${origin}/mcp`;
    const gateway = await connect({ url: `${origin}/mcp` });
    await signIn(gateway);
    expect(readText(await callTool(gateway, 'web', 'read'))).toMatchObject({ user: 'ada' });
    isMoved = true;
    expect((await callTool(gateway, 'web', 'read')).body.error).toMatchObject({ code: 'sign-in-unsafe' });
    expect(seen).toEqual([]);
  });

  test('is nowhere but in the encrypted store (C21, C22)', async () => {
    const logged: unknown[] = [];
    for (const method of ['log', 'warn', 'error', 'info', 'debug'] as const) {
      const spy = vi.spyOn(console, method).mockImplementation((...words) => void logged.push(words));
      onTestFinished(() => spy.mockRestore());
    }
    const server = await startProtected(issuer);
    const folders = { stateDir: createFolder(), configDir: createFolder() };
    const gateway = await start({
      servers: [{ name: 'web', kind: 'http', url: server.url }, stdio('child')],
      ...folders,
    });
    const { events } = await openEvents(gateway, undefined, 0);
    const address = await visitIssuer(await agree(gateway));
    await fetch(address);
    const [account] = readSignIn(gateway)?.accounts ?? [];
    await api(gateway, '/servers/web/accounts/expire', { account: account?.id });
    await callTool(gateway, 'web', 'read');
    const call = callTool(gateway, 'web', 'write');
    await waitFor(() => readSignIn(gateway)?.question?.issuerHost);
    await signIn(gateway);
    await call;
    await api(gateway, '/servers/child/restart', {});

    const store = createRecordStore({ ...folders, usesSystemKeys: false });
    await store.load();
    const [{ tokens, client } = { tokens: undefined, client: undefined }] = store.read().accounts;
    const secrets = [
      ...server.seen,
      tokens?.access,
      tokens?.refresh,
      new URL(address).searchParams.get('code'),
    ];
    expect(secrets.length).toBeGreaterThan(5);
    expect(client?.id).toEqual(expect.any(String));
    const files = Object.values(folders).flatMap((folder) =>
      readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')),
    );
    const status = await api(gateway, '/status');
    const places = JSON.stringify([events, gateway.servers(), logged, files, status, process.env]);
    for (const secret of secrets) expect(places).not.toContain(secret);
    for (const [folder, name] of [
      [folders.stateDir, 'sign-ins'],
      [folders.configDir, 'sign-in.key'],
    ] as const)
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });
});

describe('the store', () => {
  test('brings a sign-in back at the next launch, and not without its key', async () => {
    const server = await startProtected(issuer);
    const folders = { stateDir: createFolder(), configDir: createFolder() };
    const first = await connect(server, folders);
    await signIn(first);
    const identity = first.servers()[0]?.identity;
    await first.close();
    const second = await connect(server, folders);
    expect(second.servers()).toMatchObject([{ status: 'ready', identity }]);
    await second.close();
    const third = await connect(server, { ...folders, configDir: createFolder() });
    expect(third.servers()).toMatchObject([{ status: 'failed', error: { code: 'server-sign-in' } }]);
  });

  test('that was changed, or whose key is another, is set aside and never used nor overwritten', async () => {
    const server = await startProtected(issuer);
    const folders = { stateDir: createFolder(), configDir: createFolder() };
    const file = join(folders.stateDir, 'sign-ins');
    const key = join(folders.configDir, 'sign-in.key');
    const first = await connect(server, folders);
    await signIn(first);
    await first.close();
    const whole = readFileSync(file, 'utf8');
    const [version, iv, tag, data = ''] = whole.split('\n');
    const changed = [version, iv, tag, `${data.startsWith('A') ? 'B' : 'A'}${data.slice(1)}`].join('\n');
    for (const [count, text] of [changed, whole].entries()) {
      writeFileSync(file, text);
      if (text === whole) writeFileSync(key, randomBytes(32).toString('base64url'));
      const gateway = await connect(server, folders);
      expect(readSignIn(gateway)?.accounts).toEqual([]);
      await signIn(gateway);
      await gateway.close();
      expect(readFileSync(`${file}.unreadable-${count + 1}`, 'utf8')).toBe(text);
    }
    for (const path of [file, key]) chmodSync(path, 0o644);
    const last = await connect(server, folders);
    expect(last.servers()).toMatchObject([{ status: 'ready' }]);
    for (const path of [file, key]) expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('forgets who signed in to a server that is removed, and its issuer is told', async () => {
    const protectedOne = await startProtected(issuer);
    const folders = { stateDir: createFolder(), configDir: createFolder() };
    const gateway = await start({ ...folders });
    const drafts = ['web', 'other'].map((name) => ({ name, kind: 'http', url: protectedOne.url }));
    const added = await api(gateway, '/entries', { entries: drafts });
    for (const { name, hash } of added.body['entries'] as { name: string; hash: string }[])
      await api(gateway, `/entries/${name}/confirm`, { hash });
    await waitFor(() => readSignIn(gateway)?.question?.issuerHost);
    await signIn(gateway);
    await callTool(gateway, 'web', 'read');
    const [token = ''] = protectedOne.seen;
    const store = createRecordStore({ ...folders, usesSystemKeys: false });
    const countKept = async (): Promise<number> => {
      await store.load();
      return store.read().accounts.length;
    };
    // The other one has the same address, and so the same accounts.
    await api(gateway, '/entries/web/remove', {});
    expect(await countKept()).toBe(1);
    await api(gateway, '/entries/other/remove', {});
    expect(await countKept()).toBe(0);
    await expect.poll(() => isActive(issuer, token)).toBe(false);
  });

  test('whose key is in no file is listed with one in the key store of the system', async () => {
    const folders = { stateDir: createFolder(), configDir: createFolder() };
    const gateway = await connect(await startProtected(issuer), folders);
    await signIn(gateway);
    rmSync(join(folders.configDir, 'sign-in.key'));
    const listed = async () => (await api(gateway, '/stored')).body['items'];
    expect(await listed()).toContainEqual(
      expect.objectContaining({
        what: 'sign-in key',
        where: expect.stringContaining('key store of this system'),
      }),
    );
    const { status } = await api(gateway, '/stored/forget', { what: ['sign-ins', 'sign-in key'] });
    expect(status).toBe(200);
    expect(JSON.stringify(await listed())).not.toContain('sign-in');
  });

  test('is listed with what is stored, and forgotten with its key', async () => {
    const folders = { stateDir: createFolder(), configDir: createFolder() };
    const gateway = await connect(await startProtected(issuer), folders);
    await signIn(gateway);
    const { body } = await api(gateway, '/stored');
    const listed = body['items'] as { what: string }[];
    expect(listed.map(({ what }) => what)).toEqual(expect.arrayContaining(['sign-ins', 'sign-in key']));
    await api(gateway, '/stored/forget', { what: ['sign-ins', 'sign-in key'] });
    expect([...readdirSync(folders.stateDir), ...readdirSync(folders.configDir)].join()).not.toContain(
      'sign-in',
    );
    expect(readSignIn(gateway)?.accounts ?? []).toEqual([]);
    // Nothing that is still in memory is used or brings it back.
    const call = callTool(gateway, 'web', 'read');
    await signIn(gateway);
    expect(readText(await call)).toMatchObject({ user: 'ada' });
    expect(readSignIn(gateway)?.accounts).toHaveLength(1);
  });

  test('that cannot be written costs no sign-in', async () => {
    const server = await startProtected(issuer);
    const gateway = await connect(server, { configDir: join(createFolder(), 'x'.repeat(300)) });
    const { events } = await openEvents(gateway);
    await signIn(gateway);
    expect(readText(await callTool(gateway, 'web', 'read'))).toMatchObject({ user: 'ada' });
    await waitFor(() => events.some((event) => JSON.stringify(event).includes('"step":"not-stored"')));
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const issuerScript = join(import.meta.dirname, '../../test-fixtures/authorization-server.mjs');

/** When what was started ends: with the test, unless something else is given. */
type OnEnd = (end: () => void) => void;

/** Starts the authorization server in a process of its own. */
export const startIssuer = async (
  settings: Record<string, unknown> = {},
  onEnd: OnEnd = onTestFinished,
): Promise<string> => {
  const child = spawn(process.execPath, [issuerScript, JSON.stringify(settings)], {
    // It ends with its standard input, and so with whoever started it.
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onEnd(() => void child.kill());
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (said += piece));
  while (!said.includes('\n')) await once(child.stdout, 'data');
  return said.trim();
};

export const listen = async (
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  onEnd: OnEnd = onTestFinished,
): Promise<string> => {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  // A TCP server has this kind of address.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

export const readBody = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const piece of request) text += String(piece);
  return text;
};

export const sendJson = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/** What a request asked of the protected server. */
interface Asked {
  method: string;
  id?: number;
  params?: { name?: string };
}

/** A server behind a door that asks the issuer about every token. */
export interface ProtectedServer {
  url: string;
  origin: string;
  /** The tokens it was shown. */
  seen: Set<string>;
  /** Tokens that it does not take, whatever the issuer says. */
  refused: Set<string>;
  /** The tools that want a scope more. */
  writing: Set<string>;
  /** What its document says; tests change it. */
  metadata: Record<string, unknown>;
}

/** Answers to the methods that a connection needs. */
const toResult = ({ method, params }: Asked, user: string): unknown => {
  if (method === 'initialize')
    return {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'protected', version: '1' },
    };
  if (method === 'tools/list')
    return { tools: ['read', 'write'].map((name) => ({ name, inputSchema: { type: 'object' } })) };
  return { content: [{ type: 'text', text: JSON.stringify({ tool: params?.name, user }) }] };
};

/** Asks the issuer about a token, as a server does that is shown one (RFC 7662). */
const introspect = async (
  issuer: string,
  token: string,
): Promise<{ active: boolean; scope?: string; sub?: string }> => {
  const answer = await fetch(`${issuer}/token/introspection`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('resource-server:of-the-resource-server')}` },
    body: new URLSearchParams({ token }),
  });
  // The shape is that of the RFC.
  return (await answer.json()) as { active: boolean };
};

/** Whether the issuer still knows a token. */
export const isActive = async (issuer: string, token: string): Promise<boolean> =>
  (await introspect(issuer, token)).active;

/** How a protected server is. */
interface ProtectedOptions {
  /** Everything passes but calls. */
  isLazy?: boolean;
  /** The address of a real server behind the door; without one the answers are canned. */
  target?: string;
  onEnd?: OnEnd;
}

/** Passes a request that may go in on to the real server, and its answer back. */
const passOn = (target: string, request: IncomingMessage, body: string, response: ServerResponse): void => {
  const { method } = request;
  const own = new Set(['authorization', 'host']);
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !own.has(name)));
  const onward = forward(target, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  onward.end(body);
};

/** Starts a server that wants a sign-in at the issuer. */
export const startProtected = async (
  issuer: string,
  { isLazy = false, target, onEnd = onTestFinished }: ProtectedOptions = {},
): Promise<ProtectedServer> => {
  const seen = new Set<string>();
  const refuse = (response: ServerResponse, status: number, more = ''): void => {
    const challenge = `Bearer resource_metadata="${server.origin}/.well-known/oauth-protected-resource/mcp"${more}`;
    response.writeHead(status, { 'www-authenticate': challenge }).end('no');
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url?.startsWith('/.well-known/oauth-protected-resource')) {
      sendJson(response, server.metadata);
      return;
    }
    if (request.url !== '/mcp' || request.method !== 'POST') {
      response.writeHead(request.url === '/mcp' ? 405 : 404).end();
      return;
    }
    // The official client wrote it.
    const text = await readBody(request);
    const asked = JSON.parse(text) as Asked;
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    if (token !== undefined) seen.add(token);
    const known =
      token === undefined || server.refused.has(token) ? { active: false } : await introspect(issuer, token);
    const isOpen = isLazy && asked.method !== 'tools/call';
    if (!known.active && !isOpen) {
      refuse(response, 401);
      return;
    }
    const scopes = known.scope?.split(' ') ?? [];
    if (server.writing.has(asked.params?.name ?? '') && !scopes.includes('mcp:write')) {
      refuse(response, 403, ', error="insufficient_scope", scope="mcp:write"');
      return;
    }
    if (target !== undefined) passOn(target, request, text, response);
    else if (asked.id === undefined) response.writeHead(202).end();
    else if (!['initialize', 'tools/list', 'tools/call'].includes(asked.method))
      sendJson(response, { jsonrpc: '2.0', id: asked.id, error: { code: -32601, message: 'No' } });
    else sendJson(response, { jsonrpc: '2.0', id: asked.id, result: toResult(asked, known.sub ?? 'nobody') });
  };
  const origin = await listen((request, response) => void handle(request, response), onEnd);
  const server: ProtectedServer = {
    url: `${origin}/mcp`,
    origin,
    seen,
    refused: new Set(),
    writing: new Set(['write']),
    metadata: {
      resource: `${origin}/mcp`,
      authorization_servers: [issuer],
      scopes_supported: ['openid', 'mcp:read'],
    },
  };
  return server;
};

/** Signs in at the issuer as a browser would, form by form; returns the address it is sent back to. */
export const visitIssuer = async (
  address: string,
  { user = 'ada', isDenied = false }: { user?: string; isDenied?: boolean } = {},
): Promise<string> => {
  const cookies = new Map<string, string>();
  const ask = async (url: string, body?: URLSearchParams): Promise<Response> => {
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(body && { method: 'POST', body }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return answer;
  };
  let url = address;
  let answer = await ask(url);
  for (let step = 0; step < 20; step += 1) {
    const location = answer.headers.get('location');
    if (location !== null) {
      url = new URL(location, url).href;
      if (new URL(url).pathname === '/oauth/callback') return url;
      answer = await ask(url);
      continue;
    }
    const html = await answer.text();
    const [, prompt] = /name="prompt" value="(\w+)"/.exec(html) ?? [];
    if (prompt === undefined) throw new Error(`The issuer answers ${answer.status}: ${html.slice(0, 500)}`);
    answer = isDenied
      ? await ask(`${url}/abort`)
      : await ask(url, new URLSearchParams({ prompt, login: user, password: 'any' }));
  }
  throw new Error('The issuer never sent the browser back.');
};

/** An issuer whose metadata and token endpoint are the test's own; it asks nobody anything. */
export const startFakeIssuer = async (
  change: (metadata: Record<string, unknown>, origin: string) => Record<string, unknown>,
  onToken: Parameters<typeof listen>[0] = (_request, response) => sendJson(response, {}, 400),
  onEnd: OnEnd = onTestFinished,
): Promise<string> => {
  const origin = await listen((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://issuer');
    if (pathname === '/token') onToken(request, response);
    else if (pathname === '/authorize') {
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      for (const [name, value] of [
        ['state', searchParams.get('state') ?? ''],
        ['code', 'a-code'],
      ] as const)
        back.searchParams.set(name, value);
      response.writeHead(303, { location: back.href }).end();
    } else if (request.url?.startsWith('/.well-known/'))
      sendJson(
        response,
        change(
          {
            issuer: origin,
            authorization_endpoint: `${origin}/authorize`,
            token_endpoint: `${origin}/token`,
            registration_endpoint: `${origin}/register`,
            response_types_supported: ['code'],
            code_challenge_methods_supported: ['S256'],
          },
          origin,
        ),
      );
    else if (request.url === '/register')
      void readBody(request).then((body) =>
        sendJson(response, { ...(JSON.parse(body) as object), client_id: 'fake' }, 201),
      );
    else response.writeHead(404).end();
  }, onEnd);
  return origin;
};

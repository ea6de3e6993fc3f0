import { createSocket } from 'node:dgram';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createSandboxHandler, type CspReport } from '@casement/sandbox/handler';
import { sendBundle } from './bundle.js';

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server always reports an AddressInfo.
  return (server.address() as AddressInfo).port;
};

/** Ends a server with all its connections: one that a browser keeps open would hold it for a minute. */
export const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.closeAllConnections();
    server.close(() => resolve());
  });

/** A request of Node as the handler takes it. */
export const toRequest = async (incoming: IncomingMessage): Promise<Request> => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { method = 'GET', url = '/', headers } = incoming;
  const entries = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
  return new Request(`http://${headers.host}${url}`, { method, headers: entries, ...body });
};

/** Sends what the handler answered. */
export const send = async (answer: Response, response: ServerResponse): Promise<void> => {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(Buffer.from(await answer.arrayBuffer()));
};

/** Servers for one test file: a host page, the sandbox handler, a second plain origin, and listeners for leaks. */
export const startWorld = async () => {
  const reports: CspReport[] = [];
  const hits: string[] = [];
  let packets = 0;
  let connections = 0;
  const plainPages = new Map<string, string>();

  // Serves the bare host page, and under any other path the guest without any defence: the control.
  const hostServer = createServer((incoming, response) => {
    if (sendBundle(incoming, response)) return;
    const html = plainPages.get(incoming.url ?? '') ?? '<!doctype html><title>host</title><body></body>';
    response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  });
  const listener = createServer((incoming, response) => {
    hits.push(incoming.url ?? '');
    // Answered after so many milliseconds, or never: who waits for it in its own thread is blocked, at no cost to others.
    const [, wait] = /^\/wait\/(\w+)$/.exec(incoming.url ?? '') ?? [];
    if (wait === 'forever') return;
    const isScript = incoming.url?.includes('script');
    response.writeHead(200, {
      'access-control-allow-origin': '*',
      'content-type': isScript ? 'text/javascript' : 'text/html',
    });
    setTimeout(() => response.end(isScript ? 'globalThis.scriptRan = true;' : 'hello'), Number(wait ?? 0));
  });
  listener.on('connection', () => (connections += 1));
  listener.on('upgrade', (incoming, socket) => {
    hits.push(incoming.url ?? '');
    socket.destroy();
  });
  const stun = createSocket('udp4').on('message', () => (packets += 1));
  await new Promise<void>((resolve) => stun.bind(0, '127.0.0.1', resolve));
  const hostPort = await listen(hostServer);
  const evilPort = await listen(listener);

  // An integrator's second origin, which only has the one file.
  const staticPage = await readFile(
    fileURLToPath(import.meta.resolve('@casement/sandbox/static-proxy.html')),
  );
  const staticServer = createServer((_incoming, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(staticPage);
  });
  const staticPort = await listen(staticServer);
  plainPages.set('/static-proxy.html', staticPage.toString());

  let handler: (request: Request) => Promise<Response> = () => Promise.resolve(new Response(null));
  const sandboxServer = createServer((incoming, response) => {
    void toRequest(incoming)
      .then((request) => handler(request))
      .then((answer) => send(answer, response));
  });
  const port = await listen(sandboxServer);
  const base = `http://casement.localhost:${port}`;
  const opaqueBase = `http://127.0.0.1:${port}`;
  const hostOrigins = [`http://casement.localhost:${hostPort}`, `http://localhost:${hostPort}`];
  handler = createSandboxHandler({
    base,
    opaqueBase,
    hostOrigins,
    allowLoopback: true,
    onReport: (report) => reports.push(report),
  });

  return {
    base,
    opaqueBase,
    hostOrigin: hostOrigins[0] ?? '',
    localhostOrigin: hostOrigins[1] ?? '',
    evil: `http://127.0.0.1:${evilPort}`,
    evilPort,
    stunPort: stun.address().port,
    staticOrigin: `http://127.0.0.1:${staticPort}`,
    hits,
    reports,
    packets: () => packets,
    connections: () => connections,
    forget: () => {
      hits.length = 0;
      reports.length = 0;
      packets = 0;
    },
    /** Serves HTML from the host's server as an ordinary page, without any of our headers. */
    servePlain: (path: string, html: string): string => {
      plainPages.set(path, html);
      return `http://localhost:${hostPort}${path}`;
    },
    close: async () => {
      stun.close();
      await Promise.all([hostServer, listener, sandboxServer, staticServer].map(closeServer));
    },
  };
};

export type World = Awaited<ReturnType<typeof startWorld>>;

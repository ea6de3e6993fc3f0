import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSandboxHandler, type SandboxHandlerOptions } from '@casement/sandbox/handler';
import { sendBundle } from '../../support/bundle.js';
import { send, toRequest } from '../../support/world.js';

/** A listener as Node has them. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Starts a server on a free port of this machine. */
export const listenOn = async (listener: Listener): Promise<{ port: number; close(): Promise<void> }> => {
  const server: Server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    // A TCP server always reports an AddressInfo.
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};

/** A product with a page of its own and a place for a sandbox, both of which a test may change. */
export const startProduct = async () => {
  let pageHeaders: Record<string, string> = {};
  let sandbox: Listener = (_request, response) => response.writeHead(500).end();
  const requests: string[] = [];

  const page = await listenOn((request, response) => {
    if (sendBundle(request, response)) return undefined;
    if (request.url === '/cookies') return response.end(request.headers.cookie ?? '');
    const body = request.url?.startsWith('/around')
      ? `<!doctype html><title>around</title><iframe src="${request.url.split('?')[1] ?? ''}"></iframe>`
      : '<!doctype html><title>chat</title><body></body>';
    return response.writeHead(200, { 'content-type': 'text/html', ...pageHeaders }).end(body);
  });
  const sandboxServer = await listenOn((request, response) => {
    requests.push(`${request.headers.host ?? ''}${request.url ?? ''}`);
    return sandbox(request, response);
  });

  const origin = `http://chat.product.localhost:${page.port}`;
  const base = `http://apps.product.localhost:${sandboxServer.port}`;
  const serve = (options: Partial<SandboxHandlerOptions> = {}): void => {
    const handler = createSandboxHandler({ base, hostOrigins: [origin], ...options });
    sandbox = async (request, response) => send(await handler(await toRequest(request)), response);
  };
  serve();

  return {
    /** The page, on the site product.localhost. */
    origin,
    /** The sandbox on the same site. */
    base,
    /** The sandbox's server under a name of another site. */
    otherSite: `http://apps.other.localhost:${sandboxServer.port}`,
    pagePort: page.port,
    sandboxPort: sandboxServer.port,
    requests,
    /** What the page is served with from now on. */
    setPageHeaders(headers: Record<string, string>) {
      pageHeaders = headers;
    },
    /** Serves the real handler with these options. */
    serve,
    /** Answers in the sandbox's place. */
    answer(listener: Listener) {
      sandbox = listener;
    },
    close: () => Promise.all([page.close(), sandboxServer.close()]),
  };
};

/** A product on this machine. */
export type Product = Awaited<ReturnType<typeof startProduct>>;

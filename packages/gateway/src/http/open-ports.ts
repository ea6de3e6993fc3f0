import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { CasementError } from '@casement/protocol/start';
import { createListener, type Answerer } from './exchange.js';

/** Cookies cross ports and sibling names: a full jar, 180 cookies of 4 KB, leaves room for an address (A05). */
const MAX_HEADER_BYTES = 1024 * 1024;
const FREE_PAIR_ATTEMPTS = 30;
const MAX_PORT = 65_535;

/** Makes the handlers of the two ports, once the ports are chosen: each handler needs both numbers. */
export type ToHandlers = (pagePort: number, sandboxPort: number) => { page: Answerer; sandbox: Answerer };

/** Two listening ports: page and sandbox. */
export interface OpenPorts {
  pagePort: number;
  sandboxPort: number;
  close(): Promise<void>;
}

/**
 * Opens the page port and the one after it, each on 127.0.0.1 and ::1: browsers try ::1 first, and a stranger
 * listening there would be given the token. Port 0 takes a free pair.
 */
export const openPorts = async (port: number, toHandlers: ToHandlers): Promise<OpenPorts> => {
  if (port !== 0) return openPair(port, toHandlers);
  for (let attempt = 1; ; attempt += 1) {
    const candidate = await findFreePort();
    try {
      return await openPair(candidate, toHandlers);
    } catch (error) {
      const isTaken = error instanceof CasementError && error.code === 'port-taken';
      if (!isTaken || attempt >= FREE_PAIR_ATTEMPTS) throw error;
    }
  }
};

const openPair = async (pagePort: number, toHandlers: ToHandlers): Promise<OpenPorts> => {
  const sandboxPort = pagePort + 1;
  if (!Number.isInteger(pagePort) || pagePort < 1 || sandboxPort > MAX_PORT) {
    throw new CasementError('bad-flag', `Port ${pagePort} cannot be used: give a number from 1 to 65534.`);
  }
  const handlers = toHandlers(pagePort, sandboxPort);
  const open: Server[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(open.map(closeServer));
  };
  try {
    for (const [port, handler] of [
      [pagePort, handlers.page],
      [sandboxPort, handlers.sandbox],
    ] as const) {
      for (const host of ['127.0.0.1', '::1']) {
        const server = await listen(createGuardedServer(handler), port, host);
        if (server !== undefined) open.push(server);
      }
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { pagePort, sandboxPort, close };
};

const createGuardedServer = (handler: Answerer): Server => {
  const respond = createListener(handler);
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      // A missing Host is refused below like a wrong one.
      requireHostHeader: false,
      // Of two tokens or types, Node would take the first and drop the other: joined they fit nowhere.
      joinDuplicateHeaders: true,
      headersTimeout: 15_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 10_000,
    },
    (incoming: IncomingMessage, outgoing: ServerResponse) => {
      if (isPlainRequest(incoming)) respond(incoming, outgoing);
      else outgoing.writeHead(403, { 'Content-Length': 0, Connection: 'close' }).end();
    },
  );
  server.maxConnections = 1000;
  server.on('clientError', answerClientError);
  return server;
};

/** One Host header that is a host, and a path: everything else is ambiguous about whom it is meant for (C05). */
const isPlainRequest = ({ rawHeaders, headers, url = '' }: IncomingMessage): boolean =>
  url.startsWith('/') &&
  rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length === 1 &&
  /^(?:[\w.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/i.test(headers.host ?? '') &&
  URL.canParse(`http://${headers.host ?? ''}/`);

const answerClientError = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const isOverflow = error.code === 'HPE_HEADER_OVERFLOW';
  const status = isOverflow ? '431 Request Header Fields Too Large' : '400 Bad Request';
  // No Clear-Site-Data: any page can open an address that is too long, and cookies belong to every port of a name.
  socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
  // Unread input would turn the close into a reset, and the browser would never see the answer.
  socket.resume();
  setTimeout(() => socket.destroy(), 1000).unref();
};

/** Undefined where the machine has no such address (IPv6 switched off). */
const listen = (server: Server, port: number, host: string): Promise<Server | undefined> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (host === '::1' && (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT')) {
        resolve(undefined);
      } else if (error.code === 'EADDRINUSE' || error.code === 'EACCES') {
        reject(
          new CasementError('port-taken', `Port ${port} is taken on ${host}.`, {
            hint: 'End the program that uses it, or give another port with --port (0 takes a free one).',
            cause: error,
          }),
        );
      } else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => {
      resolve(server);
    });
  });

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });

const findFreePort = async (): Promise<number> => {
  const server = createServer();
  await listen(server, 0, '127.0.0.1');
  const address = server.address();
  await closeServer(server);
  if (address === null || typeof address === 'string')
    throw new CasementError('internal', 'No port was given.');
  return address.port;
};

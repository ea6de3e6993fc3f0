import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that nobody may reach: it remembers every connection and every request line. */
export interface LeakListener {
  readonly url: string;
  readonly requests: readonly string[];
  connections(): number;
  close(): Promise<void>;
}

/** Starts a leak listener on a free loopback port. */
export const startLeakListener = async (): Promise<LeakListener> => {
  const requests: string[] = [];
  let connections = 0;
  const server = createServer((incoming, response) => {
    requests.push(`${incoming.method} ${incoming.url}`);
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.end('<!doctype html><title>leak</title>');
  });
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server always reports an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};

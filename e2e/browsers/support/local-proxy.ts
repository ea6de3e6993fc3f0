import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP proxy to this machine for which names below `localhost` do not exist, as in some browsers and systems. */
export const startLocalProxy = async (): Promise<{ address: string; close(): void }> => {
  const server = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? '', 'http://nowhere.invalid');
    if (url.hostname !== 'localhost' && url.hostname !== '127.0.0.1') {
      // No answer at all: that is what a name without an address is like.
      outgoing.destroy();
      return;
    }
    const forwarded = ask(
      {
        host: '127.0.0.1',
        port: url.port,
        path: url.pathname + url.search,
        method: incoming.method,
        headers: incoming.headers,
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server always reports an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

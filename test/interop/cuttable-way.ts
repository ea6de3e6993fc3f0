import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A way to a gateway that can be cut and mended. */
export interface CuttableWay {
  readonly url: string;
  /** Paths of the streams that are open now. */
  streams(): number;
  /** Paths asked for so far. */
  readonly asked: readonly string[];
  /** Ends every connection; while `refuse` is on, new ones fail too. */
  cut(options?: { refuse: boolean }): void;
  mend(): void;
  close(): void;
}

/** Opens the way; the gateway sees its own name in Host, as it would directly. */
export const openWay = async (gatewayPort: number): Promise<CuttableWay> => {
  const asked: string[] = [];
  const streams = new Set<ServerResponse>();
  let refusing = false;
  const server = createServer((incoming, answer) => {
    const { url: path = '', method, headers } = incoming;
    asked.push(path);
    if (refusing) {
      answer.destroy();
      return;
    }
    if (path.startsWith('/api/events')) {
      streams.add(answer);
      answer.once('close', () => streams.delete(answer));
    }
    const host = `localhost:${gatewayPort}`;
    const outgoing = request(
      { host: '127.0.0.1', port: gatewayPort, path, method, headers: { ...headers, host } },
      (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        answer.flushHeaders();
        response.pipe(answer);
        response.once('error', () => answer.destroy());
      },
    );
    outgoing.once('error', () => answer.destroy());
    answer.once('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    // A TCP server has this kind of address.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    streams: () => streams.size,
    asked,
    cut: ({ refuse } = { refuse: false }) => {
      refusing = refuse;
      server.closeAllConnections();
    },
    mend: () => {
      refusing = false;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

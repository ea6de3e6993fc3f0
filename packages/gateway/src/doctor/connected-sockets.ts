import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { CONNECTED, type OpenedConnection } from '../transport/reach-http.js';
import { toTlsFacts } from './certificate-facts.js';

/** What a new connection to an origin showed. */
export interface ConnectedSocket {
  /** How long looking up the name, connecting and the handshake of TLS took together. */
  ms: number;
  address: string;
  port: number;
  /** Of an encrypted connection. */
  tls?: string;
}

/**
 * Listens to the connections that are opened to an origin without a proxy: whoever opens them tells of them, so that nothing
 * has to be connected a second time for it. Returns the way to stop.
 */
export const watchSockets = (url: URL, onConnected: (socket: ConnectedSocket) => void): (() => void) => {
  const onMessage = (message: unknown): void => {
    // What this channel says of itself.
    const { origin, socket, ms } = message as OpenedConnection;
    if (origin !== url.origin) return;
    const { remoteAddress: address = '', remotePort: port = 0 } = socket;
    const tls = isEncrypted(socket) ? toTlsFacts(socket) : undefined;
    onConnected({ ms, address, port, ...(tls !== undefined && { tls }) });
  };
  subscribe(CONNECTED, onMessage);
  return () => void unsubscribe(CONNECTED, onMessage);
};

const isEncrypted = (socket: Socket): socket is TLSSocket => 'getPeerCertificate' in socket;

import {
  createMemoryTransportPair,
  type JsonRpcMessage,
  type PeerNotification,
  type PeerOptions,
} from '../index.js';
import { createPeer } from '../wire.js';
import type { InvalidMessage } from './peer.js';

/** Lets everything queued so far happen. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A host peer whose other end is bare: a guest that may send anything. */
export const createHostAndGuest = (options: Partial<PeerOptions> = {}) => {
  const [hostEnd, guestEnd] = createMemoryTransportPair();
  const received: JsonRpcMessage[] = [];
  const invalid: InvalidMessage[] = [];
  const unmatched: unknown[] = [];
  const errors: unknown[] = [];
  const notifications: PeerNotification[] = [];
  // The peer has validated nothing on this side: the test looks at what the host really sent.
  guestEnd.subscribe((data) => received.push(data as JsonRpcMessage));
  const peer = createPeer({
    transport: hostEnd,
    side: 'host',
    requestHandlers: {},
    onNotification: (notification) => notifications.push(notification),
    onInvalid: (info) => invalid.push(info),
    onUnmatchedResponse: (message) => unmatched.push(message),
    onError: (error) => errors.push(error),
    ...options,
  });
  /** Through unknown: a guest is not bound by our types. */
  const send = (value: unknown) => guestEnd.send(value as JsonRpcMessage);
  const rpc = (members: Record<string, unknown>) => send({ jsonrpc: '2.0', ...members });
  return { peer, send, rpc, received, invalid, unmatched, errors, notifications, guestEnd };
};

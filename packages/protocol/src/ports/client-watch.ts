import { CasementError } from '../errors.js';
import { isRecord } from '../is-record.js';
import type { ServerEvent } from './server-port.js';
import { createClientRequests } from './official-client.js';
import type { OfficialClient, OfficialTransport } from './official-client.js';

type Listener = (event: ServerEvent) => void;

/** What is heard on one connection of a client, whoever else listens to it. */
export interface ClientWatch {
  subscribe(listener: Listener): () => void;
}

// One ear per connection: ports come and go, and what is put into a transport stays there.
const watches = new WeakMap<OfficialTransport, ClientWatch>();

/** Listens beside the client. Its own notification handlers are the embedder's: setting one would replace theirs. */
export const watchClient = (client: OfficialClient, name: string): ClientWatch => {
  const { transport } = client;
  if (!transport)
    throw new CasementError('server-not-ready', `The client of "${name}" is not connected.`, {
      hint: 'Await client.connect(transport) before a port is made of it.',
    });
  const known = watches.get(transport);
  if (known) return known;
  const watch = createClientWatch(client, transport);
  watches.set(transport, watch);
  return watch;
};

const createClientWatch = (client: OfficialClient, transport: OfficialTransport): ClientWatch => {
  const listeners = new Set<Listener>();
  let closed = false;
  let stopListening: (() => void) | undefined;

  const tell = (event: ServerEvent): void => {
    // Later: a listener that throws must not keep the message from the client.
    for (const listener of listeners) queueMicrotask(() => listener(event));
  };
  const { onmessage, onclose } = transport;
  transport.onmessage = (message: never, extra?: never) => {
    const event = readEvent(message);
    if (event) tell(event);
    onmessage?.call(transport, message, extra);
  };
  transport.onclose = () => {
    closed = true;
    tell({ type: 'lost', reason: 'The connection was closed.' });
    onclose?.call(transport);
  };

  return {
    subscribe(listener) {
      listeners.add(listener);
      if (closed) queueMicrotask(() => listener({ type: 'lost', reason: 'The connection was closed.' }));
      else stopListening ??= createClientRequests(client).followLists();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stopListening?.();
        stopListening = undefined;
      };
    },
  };
};

const events: Readonly<Record<string, ServerEvent['type']>> = {
  'notifications/tools/list_changed': 'tools-changed',
  'notifications/resources/list_changed': 'resources-changed',
  'notifications/prompts/list_changed': 'prompts-changed',
  'notifications/resources/updated': 'resource-updated',
};

const readEvent = (message: unknown): ServerEvent | undefined => {
  if (!isRecord(message) || typeof message['method'] !== 'string') return undefined;
  const type = Object.hasOwn(events, message['method']) ? events[message['method']] : undefined;
  if (type === undefined || type === 'lost') return undefined;
  if (type !== 'resource-updated') return { type };
  const uri = isRecord(message['params']) ? message['params']['uri'] : undefined;
  return typeof uri === 'string' ? { type, uri } : undefined;
};

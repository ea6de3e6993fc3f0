import {
  Agent,
  globalAgent,
  request,
  type AgentOptions,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http';
import { channel } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { createPlainBody, type PlainBody } from '../reading/plain-body.js';
import { PlainHeaders, toPlainResponse, type PlainResponse } from './plain-response.js';

/** Less than what servers keep an idle connection for: a request on one that just ends would be lost. */
const IDLE_MS = 3000;

/** What can be undone here; an answer in any other form is passed on as it is. */
const ENCODINGS = 'gzip, br';

/** What the official transports ask for. */
export interface ReachInit {
  readonly method?: string;
  readonly headers?: ConstructorParameters<typeof PlainHeaders>[0];
  readonly body?: string;
  readonly signal?: AbortSignal | null;
}

/** A connection that was opened for a request. */
export interface OpenedConnection {
  readonly origin: string;
  readonly socket: Socket;
  /** How long looking up the name, connecting and the handshake of TLS took together. */
  readonly ms: number;
}

/** Where connections are told of; each message is an `OpenedConnection`. */
export const CONNECTED = 'casement:connected';

const connected = channel(CONNECTED);

let agent: Agent | undefined;
let secureAgent: Agent | undefined;

/**
 * Sends one request. It does what `fetch` would with `redirect: 'manual'`, and fails as that does, but without the modules of
 * `fetch`, which take longer to load than a server to answer. A redirect is an answer like others: the official transport
 * decides whether it is followed.
 */
export const reachHttp = async (address: string | URL, init: ReachInit = {}): Promise<PlainResponse> => {
  const url = new URL(address);
  init.signal?.throwIfAborted();
  if (url.username !== '' || url.password !== '')
    throw new TypeError('An address with a password is refused.');
  try {
    const asked = await open(url, init);
    if (connected.hasSubscribers) tellConnection(url, asked);
    const incoming = await send(asked, init);
    const { statusCode: status = 0, statusMessage: statusText = '' } = incoming;
    const headers = new PlainHeaders(readPairs(incoming.rawHeaders));
    const body = isEmpty(init.method, status) ? null : toBody(await decode(incoming, headers), incoming);
    if (body === null) incoming.resume();
    return toPlainResponse({ status, statusText, headers, url: toPlainAddress(url) }, body);
  } catch (error) {
    init.signal?.throwIfAborted();
    throw new TypeError('fetch failed', { cause: error });
  }
};

const tellConnection = ({ origin, protocol }: URL, asked: ClientRequest): void => {
  const begun = performance.now();
  asked.once('socket', (socket) => {
    // One that another request has used before is none that was opened for this.
    if (!socket.connecting) return;
    socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      const opened: OpenedConnection = { origin, socket, ms: performance.now() - begun };
      connected.publish(opened);
    });
  });
};

const toPlainAddress = (url: URL): string => url.href.slice(0, url.href.length - url.hash.length);

const isEmpty = (method: string | undefined, status: number): boolean =>
  method === 'HEAD' || status === 204 || status === 205 || status === 304;

/** With the defaults of this Node: a proxy that the user set is among them. The types know no `options` of an agent. */
const toOptions = (defaults: Agent): AgentOptions => ({
  ...(Reflect.get(defaults, 'options') as AgentOptions | undefined),
  keepAlive: true,
  timeout: IDLE_MS,
});

const open = async (url: URL, { method = 'GET', headers, body }: ReachInit): Promise<ClientRequest> => {
  const given = new PlainHeaders(headers);
  const all = {
    accept: '*/*',
    'accept-encoding': ENCODINGS,
    'user-agent': 'node',
    ...Object.fromEntries(given),
    ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
  };
  const options = { method, headers: all };
  if (url.protocol === 'http:') {
    agent ??= new Agent(toOptions(globalAgent));
    return request(url, { ...options, agent });
  }
  if (url.protocol !== 'https:') throw new TypeError(`There is no way to reach ${url.protocol}`);
  const https = await import('node:https');
  secureAgent ??= new https.Agent(toOptions(https.globalAgent));
  return https.request(url, { ...options, agent: secureAgent });
};

const send = (asked: ClientRequest, { body, signal }: ReachInit): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const end = (): void => void asked.destroy(new Error('The request was given up.'));
    signal?.addEventListener('abort', end, { once: true });
    asked.once('close', () => signal?.removeEventListener('abort', end));
    asked.once('response', resolve);
    // Also after the answer began, when nobody waits here any more: without a listener it would end the gateway.
    asked.on('error', reject);
    if (signal?.aborted === true) end();
    else asked.end(body);
  });

function* readPairs(raw: readonly string[]): Generator<[string, string]> {
  for (let at = 0; at + 1 < raw.length; at += 2) yield [raw[at] ?? '', raw[at + 1] ?? ''];
}

/** Undoes the compression. */
const decode = async (incoming: IncomingMessage, headers: PlainHeaders): Promise<Readable> => {
  const coding = headers.get('content-encoding')?.trim().toLowerCase();
  if (coding !== 'gzip' && coding !== 'x-gzip' && coding !== 'br') return incoming;
  const zlib = await import('node:zlib');
  const decoder = coding === 'br' ? zlib.createBrotliDecompress() : zlib.createGunzip();
  incoming.once('error', (error) => decoder.destroy(error));
  return incoming.pipe(decoder);
};

/** A body that is read no faster than it is asked for; who cancels it ends the connection. */
const toBody = (readable: Readable, incoming: IncomingMessage): PlainBody => {
  const end = (): void => {
    readable.destroy();
    incoming.destroy();
  };
  // An error comes to whoever reads, by the iterator; one that comes when nobody reads must not end the gateway.
  readable.on('error', () => undefined);
  incoming.on('error', () => undefined);
  const chunks = readable.iterator({ destroyOnReturn: false });
  return createPlainBody({
    async next() {
      try {
        // What comes out of these streams are pieces of bytes.
        const part = (await chunks.next()) as IteratorResult<Buffer, undefined>;
        return part.done === true ? undefined : part.value;
      } catch (error) {
        end();
        throw new TypeError('terminated', { cause: error });
      }
    },
    cancel: end,
  });
};

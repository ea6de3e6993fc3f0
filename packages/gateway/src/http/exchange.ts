import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { CasementError } from '@casement/protocol/start';

/** A request as handlers see it. */
export interface Asked {
  readonly method: string;
  /** With the path as it was sent, but for dots; what is encoded stays so. */
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  /** Ends when the client goes away before it has the whole answer. */
  readonly signal: AbortSignal;
  /** The body's bytes as they come; it can be read once. */
  readonly body: AsyncIterable<Buffer>;
}

/** What is sent back. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | ReadableStream<Uint8Array> | null;
}

/** Answers the requests of one port. */
export type Answerer = (asked: Asked) => Answer | Promise<Answer>;

/** How long a client may go on sending what nobody reads, and how much, before its connection ends. */
const UNREAD_MS = 1000;
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

/** Whether a request can have a body that is read. */
export const mayHaveBody = ({ method }: Asked): boolean => method !== 'GET' && method !== 'HEAD';

/** Reads a body whole; one that is or becomes too long is refused, and the rest of it is not kept. */
export const readBody = async ({ headers, body }: Asked, maxBytes: number): Promise<Buffer> => {
  const tooLarge = (): CasementError => {
    const limit = maxBytes < 1024 * 1024 ? `${maxBytes / 1024} KB` : `${maxBytes / 1024 / 1024} MB`;
    return new CasementError('body-too-large', `The body is over the limit of ${limit}.`);
  };
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
};

/**
 * Passes a request of Node's server on and sends the answer. Nothing here makes a `Request` or a `Response`: they would
 * load all of `fetch`, which takes longer and keeps more memory than everything else that a gateway does to get ready.
 */
export const createListener =
  (answerer: Answerer) =>
  (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const asked = toAsked(incoming, outgoing);
    outgoing.on('close', () => endUnread(incoming));
    // A client that is gone is known by the close; without a listener the failed write would end the gateway.
    outgoing.on('error', () => undefined);
    // A path that no address can have.
    if (asked === undefined) send(outgoing, { status: 404, headers: {} });
    else void answer(answerer, asked, outgoing);
  };

const answer = async (answerer: Answerer, asked: Asked, outgoing: ServerResponse): Promise<void> => {
  try {
    const found = await answerer(asked);
    const { body = null } = found;
    if (body === null || typeof body === 'string' || body instanceof Uint8Array) send(outgoing, found, body);
    else await sendStream(outgoing, found, body, asked.method);
  } catch {
    // Handlers answer their own failures: what comes here has no words for a client, or nobody to say them to.
    if (outgoing.headersSent) outgoing.destroy();
    else send(outgoing, { status: 500, headers: {} });
  }
};

const toAsked = (incoming: IncomingMessage, outgoing: ServerResponse): Asked | undefined => {
  const { url: target = '', method = 'GET', headers } = incoming;
  // A URL takes the one for the other, so that a path would be another than the one that was asked for.
  const [path = ''] = target.split('?', 1);
  const address = `http://${headers.host ?? ''}${target}`;
  if (path.includes('\\') || !URL.canParse(address)) return undefined;
  let controller: AbortController | undefined;
  return {
    method,
    url: new URL(address),
    headers,
    body: incoming.iterator({ destroyOnReturn: false }),
    get signal() {
      controller ??= createEnd(outgoing);
      return controller.signal;
    },
  };
};

const createEnd = (outgoing: ServerResponse): AbortController => {
  const controller = new AbortController();
  const end = (): void => {
    if (!outgoing.writableFinished) controller.abort();
  };
  if (outgoing.closed) end();
  else outgoing.on('close', end);
  return controller;
};

const writeHead = (outgoing: ServerResponse, { status, headers }: Answer): void => {
  outgoing.statusCode = status;
  for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
};

const send = (outgoing: ServerResponse, head: Answer, body: string | Uint8Array | null = null): void => {
  writeHead(outgoing, head);
  // Node leaves it out of an answer to HEAD.
  if (body === null) outgoing.end();
  else outgoing.end(body);
};

/** Sends a stream no faster than it is taken; it is cancelled as soon as nobody takes it any more. */
const sendStream = async (
  outgoing: ServerResponse,
  head: Answer,
  body: ReadableStream<Uint8Array>,
  method: string,
): Promise<void> => {
  const reader = body.getReader();
  const leave = (): void => void reader.cancel().catch(() => undefined);
  if (outgoing.closed || method === 'HEAD') {
    leave();
    send(outgoing, head);
    return;
  }
  outgoing.on('close', leave);
  writeHead(outgoing, head);
  outgoing.flushHeaders();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (!outgoing.write(part.value) && !outgoing.closed) await waitUntilTaken(outgoing);
  }
  outgoing.end();
};

const waitUntilTaken = (outgoing: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      outgoing.off('drain', go);
      outgoing.off('close', go);
      resolve();
    };
    outgoing.on('drain', go);
    outgoing.on('close', go);
  });

/**
 * Takes the rest of a body that was answered before it was read, for a while: a connection closed in its middle would be
 * reset, and the client would never see the answer.
 */
const endUnread = (incoming: IncomingMessage): void => {
  if (incoming.complete || incoming.destroyed) return;
  let bytes = 0;
  const end = (): void => {
    if (!incoming.complete) incoming.socket.destroy();
  };
  const timer = setTimeout(end, UNREAD_MS).unref();
  incoming.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_UNREAD_BYTES) end();
  });
  incoming.once('close', () => clearTimeout(timer));
  incoming.resume();
};

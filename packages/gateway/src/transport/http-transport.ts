import {
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { readHttpBody, type BodyRules } from './http-body.js';
import { createPieceStream } from '../reading/piece-stream.js';
import type { HttpServerConfig } from '../facts/server-config.js';
import type { WireId } from './wire-problem.js';

/** The limits and callbacks of an HTTP transport. */
interface FetchLimits extends Omit<BodyRules, 'onOversize'> {
  /** Nobody listens at the address any more. */
  onGone(): void;
}

/** A server that restarts may refuse once; the transport asks again after a second, and a refusal then counts. */
const GONE_AFTER_MS = 500;

const MIN_RETRY_MS = 250;
const MAX_RETRY_MS = 10 * 60_000;

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * Creates the transport of a Streamable HTTP server. Redirects stay within the origin (the official transport's
 * default policy, C14) and no single message may exceed the limit, compressed or not (D07, D22).
 */
export const createHttpTransport = (config: HttpServerConfig, limits: FetchLimits): Transport =>
  new StreamableHTTPClientTransport(new URL(config.url), {
    requestInit: { headers: config.headers },
    redirectPolicy: 'same-origin',
    fetch: createCappedFetch(limits),
    // A server says when a stream that ended is opened again: "at once" would never stop, nor would a time beyond what
    // a timer can count, which passes at once.
    reconnectionScheduler: (reconnect, delayMs) => {
      const timer = setTimeout(reconnect, Math.min(Math.max(delayMs, MIN_RETRY_MS), MAX_RETRY_MS));
      return () => clearTimeout(timer);
    },
  });

/** Creates the transport of a server that speaks the older HTTP+SSE, under the same rules and limits. */
export const createSseTransport = (config: HttpServerConfig, limits: FetchLimits): Transport =>
  new SSEClientTransport(new URL(config.url), {
    requestInit: { headers: config.headers },
    redirectPolicy: 'same-origin',
    // A stream opened again would be another session, which knows nothing of this one's handshake.
    fetch: createCappedFetch(limits, limits.onGone),
  });

const createCappedFetch = ({ onGone, ...rules }: FetchLimits, onStreamEnd?: () => void): Fetch => {
  const reach = createReach(onGone);
  return async (url, init) => {
    const response = await reach(() => fetch(url, init));
    if (response.body === null) return response;
    const { maxMessageBytes: limit, onProblem } = rules;
    const onOversize = (bytes: number): void => {
      onProblem({ kind: 'oversize', bytes, limit, id: readSentId(init?.body) });
    };
    const mediaType = readMediaType(response);
    const onEnd = (): void => (mediaType === 'text/event-stream' ? onStreamEnd?.() : undefined);
    const guarded = createPieceStream(
      response.body,
      (chunks) => readHttpBody(chunks, mediaType, { ...rules, onOversize }),
      { signal: init?.signal, onEnd },
    );
    const { status, statusText, headers } = response;
    const limited = new Response(guarded, { status, statusText, headers });
    // The transport compares the final address with the asked one when it explains a redirect.
    Object.defineProperty(limited, 'url', { value: response.url });
    return limited;
  };
};

const readMediaType = ({ headers }: Response): string =>
  (headers.get('content-type') ?? '').split(';', 1).join().trim().toLowerCase();

/** Passes requests on; two refused connections with nothing but refusals between them mean that the server is gone. */
const createReach = (onGone: () => void) => {
  let refusedSince: number | undefined;
  return async (send: () => Promise<Response>): Promise<Response> => {
    try {
      const response = await send();
      refusedSince = undefined;
      return response;
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      if (cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED') {
        refusedSince ??= performance.now();
        if (performance.now() - refusedSince > GONE_AFTER_MS) onGone();
      }
      throw error;
    }
  };
};

const readSentId = (body: unknown): WireId | undefined => {
  if (typeof body !== 'string') return undefined;
  // The official transport serialised this string from one JSON-RPC message; the shape is its own.
  const sent = JSON.parse(body) as { id?: WireId };
  return sent.id;
};

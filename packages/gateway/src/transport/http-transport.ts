import {
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { readHttpBody, type BodyRules } from './http-body.js';
import { chooseFetch, type Fetch } from '../proxy/choose-fetch.js';
import { createPieceBody } from '../reading/piece-stream.js';
import { toPlainResponse, type PlainHeaders, type PlainResponse } from './plain-response.js';
import { reachHttp, type ReachInit } from './reach-http.js';
import type { HttpServerConfig } from '../facts/server-config.js';
import type { WireId } from './wire-problem.js';

/** The limits and callbacks of an HTTP transport. */
interface FetchLimits extends Omit<BodyRules, 'onOversize'> {
  /** Nobody listens at the address any more. */
  onGone(): void;
  onAnswer(answer: { status: number; headers: Pick<Headers, 'get'> }): void;
  /** Puts the user's sign-in around the fetch, where the server has one. */
  authorize?: ((base: Fetch) => Fetch) | undefined;
}

/** A server that restarts may refuse once; the transport asks again after a second, and a refusal then counts. */
const GONE_AFTER_MS = 500;

const MIN_RETRY_MS = 250;
const MAX_RETRY_MS = 10 * 60_000;

/**
 * Creates the transport of a Streamable HTTP server. Redirects stay within the origin (the official transport's
 * default policy, C14) and no single message may exceed the limit, compressed or not (D07, D22).
 */
export const createHttpTransport = (config: HttpServerConfig, limits: FetchLimits): Transport =>
  new StreamableHTTPClientTransport(new URL(config.url), {
    requestInit: { headers: config.headers },
    redirectPolicy: 'same-origin',
    fetch: createCappedFetch(config.url, limits),
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
    fetch: createCappedFetch(config.url, limits, limits.onGone),
  });

type Reach = (url: string | URL, init?: RequestInit) => Promise<PlainResponse>;

/** The way to a server: straight, without the modules of `fetch`, or through the proxy of the environment. */
const chooseReach = (address: string, authorize: (base: Fetch) => Fetch): Reach => {
  // The official transports give a text as the body and headers that are pairs.
  const straight: Fetch = async (url, init) => toResponse(await reachHttp(url, init as ReachInit));
  const send = authorize(chooseFetch(address, straight));
  // A response of `fetch` has all that a plain one has.
  return async (url, init) => (await send(url, init)) as unknown as PlainResponse;
};

const createCappedFetch = (
  address: string,
  { onGone, onAnswer, authorize = (base) => base, ...rules }: FetchLimits,
  onStreamEnd?: () => void,
): Fetch => {
  const reach = createReach(onGone);
  const reachBy = chooseReach(address, authorize);
  return async (url, init) => {
    const response = await reach(() => reachBy(url, init));
    onAnswer(response);
    if (response.body === null) return toResponse(response);
    const { maxMessageBytes: limit, onProblem } = rules;
    const onOversize = (bytes: number): void => {
      onProblem({ kind: 'oversize', bytes, limit, id: readSentId(init?.body) });
    };
    const mediaType = readMediaType(response.headers);
    const onEnd = (): void => (mediaType === 'text/event-stream' ? onStreamEnd?.() : undefined);
    const guarded = createPieceBody(
      response.body,
      (chunks) => readHttpBody(chunks, mediaType, { ...rules, onOversize }),
      { signal: init?.signal, onEnd },
    );
    return toResponse(toPlainResponse(response, guarded));
  };
};

/** The official transports read no more of a response than this has. */
const toResponse = (response: PlainResponse): Response => response as unknown as Response;

const readMediaType = (headers: PlainHeaders): string =>
  (headers.get('content-type') ?? '').split(';', 1).join().trim().toLowerCase();

/** Passes requests on; two refused connections with nothing but refusals between them mean that the server is gone. */
const createReach = (onGone: () => void) => {
  let refusedSince: number | undefined;
  return async (send: () => Promise<PlainResponse>): Promise<PlainResponse> => {
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

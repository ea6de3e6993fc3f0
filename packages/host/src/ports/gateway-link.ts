import { isRecord } from '@casement/protocol';
import { readGatewayResponse } from './gateway-answer.js';
import { nextTask } from '../core/next-task.js';
import { PIECE, toRequestBody } from './request-body.js';

/** A JSON answer of the gateway, with what it weighed. */
export interface GatewayAnswer {
  readonly body: Readonly<Record<string, unknown>>;
  readonly bytes: number;
}

/** The way to one gateway's HTTP API. */
export interface GatewayLink {
  get(path: string, signal?: AbortSignal): Promise<GatewayAnswer>;
  post(path: string, body: object, signal?: AbortSignal): Promise<GatewayAnswer>;
  /** Opens the event stream; `stream` is the caller's own name for it, which subscriptions refer to. */
  events(stream: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
}

/** Creates the way to a gateway; the token goes into a header only, never into an address. */
export const createGatewayLink = ({ url, token }: { url: string; token: string }): GatewayLink => {
  const send = (path: string, init: RequestInit): Promise<Response> =>
    readGatewayResponse(
      fetch(`${url.replace(/(?<!\/)\/+$/, '')}/api${path}`, {
        ...init,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      }),
    );
  const ask = async (path: string, init: RequestInit): Promise<GatewayAnswer> => {
    const bytes = await (await send(path, init)).arrayBuffer();
    const body: unknown = JSON.parse(new TextDecoder().decode(bytes));
    // Whoever asked for much has much to do with it.
    if (bytes.byteLength > PIECE) await nextTask();
    return { body: isRecord(body) ? body : {}, bytes: bytes.byteLength };
  };
  const toInit = (signal?: AbortSignal): RequestInit => (signal ? { signal } : {});
  return {
    get: (path, signal) => ask(path, toInit(signal)),
    post: async (path, body, signal) =>
      ask(path, { ...toInit(signal), method: 'POST', body: await toRequestBody(JSON.stringify(body)) }),
    events: async (stream, signal) => {
      const { body } = await send(`/events?stream=${encodeURIComponent(stream)}`, { signal });
      return body ?? new ReadableStream({ start: (controller) => controller.close() });
    },
  };
};

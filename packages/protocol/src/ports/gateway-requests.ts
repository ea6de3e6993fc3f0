import { CasementError, errorCodes, type ErrorCode } from '../errors.js';
import { isRecord } from '../is-record.js';
import type { WireError } from '../wire/json-rpc.js';
import { nextTask } from './next-task.js';

/** What is handled at once of a long text. */
export const PIECE = 256 * 1024;

/** A JSON answer of the gateway, with what it weighed. */
interface GatewayAnswer {
  readonly body: Readonly<Record<string, unknown>>;
  readonly bytes: number;
}

/** The way to one gateway's HTTP API. */
export interface GatewayRequests {
  get(path: string, signal?: AbortSignal): Promise<GatewayAnswer>;
  post(path: string, body: object, signal?: AbortSignal): Promise<GatewayAnswer>;
  /**
   * Opens the event stream; `stream` is the caller's own name for it, which subscriptions refer to. With `since` it
   * begins with the entries that were recorded from that number on.
   */
  events(stream: string, signal: AbortSignal, since?: number): Promise<ReadableStream<Uint8Array>>;
}

/** Creates the way to a gateway; the token goes into a header only, never into an address. */
export const createGatewayRequests = ({ url, token }: { url: string; token: string }): GatewayRequests => {
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
    post: async (path, body, signal) => {
      const text = JSON.stringify(body);
      // A short one leaves at once, before whatever its caller loads next.
      const sent = text.length > PIECE ? await toRequestBody(text) : text;
      return ask(path, { ...toInit(signal), method: 'POST', body: sent });
    },
    events: async (stream, signal, since) => {
      const from = since === undefined ? '' : `&since=${since}`;
      const { body } = await send(`/events?stream=${encodeURIComponent(stream)}${from}`, { signal });
      return body ?? new ReadableStream({ start: (controller) => controller.close() });
    },
  };
};

const isErrorCode = (value: unknown): value is ErrorCode =>
  // The list is a tuple of literals; membership is what is being asked.
  (errorCodes as readonly unknown[]).includes(value);

/** A JSON-RPC error of the server behind the gateway: the app is to get it as it was. */
const readWire = (value: unknown): WireError | undefined => {
  if (!isRecord(value)) return undefined;
  const { code, message, data } = value;
  if (typeof code !== 'number' || typeof message !== 'string') return undefined;
  return { code, message, ...(data === undefined ? {} : { data }) };
};

const readError = async (response: Response): Promise<CasementError> => {
  const body: unknown = await response.json().catch(() => undefined);
  const error = isRecord(body) && isRecord(body['error']) ? body['error'] : {};
  const { code, message, hint } = error;
  const wire = readWire(error['wire']);
  return new CasementError(
    isErrorCode(code) ? code : 'internal',
    typeof message === 'string' ? message : `The gateway answered ${response.status}.`,
    { ...(typeof hint === 'string' && { hint }), ...(wire && { wire }) },
  );
};

/** Waits for the gateway's response; a lost gateway and an error answer both become a CasementError. */
export const readGatewayResponse = async <R extends Response>(request: Promise<R>): Promise<R> => {
  let response: R;
  try {
    response = await request;
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError')
      throw new CasementError('cancelled', 'The request was cancelled.', { cause });
    throw new CasementError('server-unreachable', 'The gateway cannot be reached.', {
      hint: 'See whether the casement command is still running.',
      cause,
    });
  }
  if (!response.ok) throw await readError(response);
  return response;
};

/** A text as the body of a request. Copying a long one takes longer than making it, so that is done in pieces. */
export const toRequestBody = async (text: string): Promise<BodyInit> => {
  if (text.length <= PIECE) return text;
  const pieces: Blob[] = [];
  for (let start = 0; start < text.length;) {
    await nextTask();
    const end = toPieceEnd(text, start + PIECE);
    pieces.push(new Blob([text.slice(start, end)]));
    start = end;
  }
  return new Blob(pieces);
};

/** Not between the halves of a character. */
const toPieceEnd = (text: string, end: number): number => {
  const unit = text.charCodeAt(end);
  return unit >= 0xdc00 && unit <= 0xdfff ? end + 1 : end;
};

import { CasementError } from '../errors.js';
import { wireCodes } from '../wire/wire-errors.js';
import type { ErrorCode } from '../errors.js';
import { toSignInFailure } from './sign-in-failure.js';

/** What was asked of which server when something was thrown. */
export interface PortRequest {
  readonly server: string;
  readonly method: string;
  readonly signal?: AbortSignal | undefined;
}

/** What errors of the official clients, of both generations, may carry. */
interface ThrownFields {
  name?: unknown;
  message?: unknown;
  code?: unknown;
  status?: unknown;
  data?: unknown;
}

const localCodes: Readonly<Record<string, ErrorCode>> = {
  REQUEST_TIMEOUT: 'server-timeout',
  INVALID_RESULT: 'server-garbage',
  UNSUPPORTED_RESULT_TYPE: 'server-garbage',
  CLIENT_HTTP_UNEXPECTED_CONTENT: 'server-garbage',
};

const answeredCodes: Readonly<Record<string, ErrorCode>> = {
  'tools/call': 'tool-failed',
  'resources/read': 'resource-missing',
};

/**
 * Names whatever a client or handler threw. A JSON-RPC error is the server's own word: number, text and data are
 * kept for the app. Any other text stays with the embedder as `cause`: it may hold addresses apps must not learn.
 */
export const toPortFailure = (
  error: unknown,
  { server, method, signal }: PortRequest,
  otherwise: ErrorCode,
): CasementError => {
  if (error instanceof CasementError) return error;
  // Only looked at field by field.
  const { name, message, code, status, data } = (
    typeof error === 'object' && error !== null ? error : {}
  ) as ThrownFields;
  const fail = (as: ErrorCode, text: string, hint?: string): CasementError =>
    new CasementError(as, text, { cause: error, ...(hint === undefined ? {} : { hint }) });

  if (signal?.aborted || name === 'AbortError')
    return fail('cancelled', `The request ${method} was cancelled.`);
  const http = readHttpStatus(status) ?? readHttpStatus(code);
  if (http === 401 || name === 'UnauthorizedError') return toSignInFailure(server, error);
  if (http !== undefined) return fail('server-unreachable', `The server "${server}" answered HTTP ${http}.`);
  if (typeof code === 'string' && localCodes[code])
    return fail(localCodes[code], `The server "${server}" did not answer ${method} as it has to.`);
  if (typeof code === 'number' && Number.isInteger(code)) {
    // The first generation of the client numbers its own failures like a server's.
    if (code === wireCodes.timedOut && isOwnTimeout(data))
      return fail('server-timeout', `The server "${server}" did not answer ${method} in time.`);
    const text = toOwnWords(message, code);
    if (code === wireCodes.refused && text === 'Connection closed')
      return fail('server-unreachable', `The connection to "${server}" was closed.`);
    return new CasementError(
      answeredCodes[method] ?? 'peer-error',
      `The server "${server}" answered ${method} with an error: ${text}`,
      { cause: error, wire: { code, message: text, ...(data === undefined ? {} : { data }) } },
    );
  }
  return fail(otherwise, `The server "${server}" could not answer ${method}.`);
};

const readHttpStatus = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 100 && value < 600 ? value : undefined;

const isOwnTimeout = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && ('timeout' in data || 'maxTotalTimeout' in data);

/** The server's text without what the first generation of the client puts before it. */
const toOwnWords = (message: unknown, code: number): string => {
  const prefix = `MCP error ${code}: `;
  const text = typeof message === 'string' ? message : 'The server gave no reason.';
  return (text.startsWith(prefix) ? text.slice(prefix.length) : text).slice(0, 1000);
};

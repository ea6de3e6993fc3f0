import type { ErrorCode } from '@casement/protocol';
import { CasementError } from '@casement/protocol/start';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

const statuses: Partial<Record<ErrorCode, ContentfulStatusCode>> = {
  unauthorized: 401,
  'access-unknown': 401,
  'access-used': 401,
  'access-expired': 401,
  'forbidden-host': 403,
  'forbidden-origin': 403,
  'bad-content-type': 403,
  'tool-not-visible': 403,
  'bad-request': 400,
  'invalid-params': 400,
  'not-found': 404,
  'server-unknown': 404,
  'model-unknown': 404,
  'tool-not-found': 404,
  'body-too-large': 413,
  cancelled: 409,
  'method-not-found': 404,
  'rate-limited': 429,
  'server-not-ready': 503,
  'server-timeout': 504,
  internal: 500,
};

/** Turns any failure into an HTTP answer; an unexpected error is answered without details, which may describe this machine (C21). */
export const toErrorResponse = (error: unknown, c: Context): Response => {
  const known = toKnown(error);
  const { code, message, hint, wire } = known.toJSON();
  return c.json(
    { error: { code, message, ...(hint !== undefined && { hint }), ...(wire !== undefined && { wire }) } },
    statuses[code] ?? 502,
    { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' },
  );
};

const toKnown = (error: unknown): CasementError => {
  if (error instanceof CasementError) return error;
  // Hono's own reader of JSON bodies throws this one.
  if (error instanceof HTTPException && error.status === 400) {
    return new CasementError('bad-request', 'The body is not JSON.');
  }
  // Parsing has no limit of depth, but writing JSON has one: the stack.
  if (error instanceof RangeError) {
    return new CasementError('server-garbage', 'The answer is nested too deeply to be passed on.', {
      hint: 'Let the server answer with lists and objects in fewer levels.',
    });
  }
  return new CasementError('internal', 'Internal error');
};

import type { ErrorCode } from '@casement/protocol';
import { CasementError } from '@casement/protocol/start';
import type { Answer } from './exchange.js';

const statuses: Partial<Record<ErrorCode, number>> = {
  unauthorized: 401,
  'access-unknown': 401,
  'access-used': 401,
  'access-expired': 401,
  'forbidden-host': 403,
  'forbidden-origin': 403,
  'bad-content-type': 403,
  'tool-not-visible': 403,
  'bad-request': 400,
  'config-invalid': 400,
  'entry-invalid': 400,
  'entry-read-only': 403,
  'entry-unknown': 404,
  'entry-changed': 409,
  'server-held': 409,
  'config-unwritable': 507,
  'invalid-params': 400,
  'not-found': 404,
  'server-unknown': 404,
  'model-unknown': 404,
  'tool-not-found': 404,
  'body-too-large': 413,
  cancelled: 409,
  'method-not-found': 404,
  'rate-limited': 429,
  'sign-in-unknown': 409,
  'server-not-ready': 503,
  'server-timeout': 504,
  internal: 500,
};

/** Turns any failure into an HTTP answer; an unexpected error is answered without details, which may describe this machine (C21). */
export const toErrorAnswer = (error: unknown): Answer => {
  const { code, message, hint, wire } = toKnown(error).toJSON();
  return {
    status: statuses[code] ?? 502,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
    body: JSON.stringify({
      error: { code, message, ...(hint !== undefined && { hint }), ...(wire !== undefined && { wire }) },
    }),
  };
};

const toKnown = (error: unknown): CasementError => {
  if (error instanceof CasementError) return error;
  // Parsing has no limit of depth, but writing JSON has one: the stack.
  if (error instanceof RangeError) {
    return new CasementError('server-garbage', 'The answer is nested too deeply to be passed on.', {
      hint: 'Let the server answer with lists and objects in fewer levels.',
    });
  }
  return new CasementError('internal', 'Internal error');
};

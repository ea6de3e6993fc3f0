import { CasementError, type ErrorCode } from '../errors.js';
import type { WireError } from './json-rpc.js';

/** The JSON-RPC numbers in use; `refused` and `timedOut` are the implementation-defined ones. */
export const wireCodes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  refused: -32000,
  timedOut: -32001,
} as const;

/** All other refusals, and whatever a server or tool did wrong, are -32000: the text and `data.code` tell which. */
const numbers: ReadonlyMap<ErrorCode, number> = new Map<ErrorCode, number>([
  ['invalid-message', wireCodes.invalidRequest],
  ['invalid-params', wireCodes.invalidParams],
  ['method-not-found', wireCodes.methodNotFound],
  ['peer-timeout', wireCodes.timedOut],
]);

/** Their texts name paths, ports or tokens of this machine: a guest only learns that something broke. */
const privateCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'internal',
  'unauthorized',
  'forbidden-host',
  'forbidden-origin',
  'config-unreadable',
  'config-invalid',
  'bad-flag',
  'port-taken',
]);

/** The one way from a local failure to what a guest sees; whatever is not ours becomes a fixed text. */
export const toWireError = (error: unknown): WireError => {
  if (!(error instanceof CasementError) || privateCodes.has(error.code)) {
    return { code: wireCodes.internal, message: 'Internal error' };
  }
  // The app's own server (or the app itself) said this; the number may carry meaning, as -32042 does.
  if (error.wire) return error.wire;
  return {
    code: numbers.get(error.code) ?? wireCodes.refused,
    message: error.message,
    data: { code: error.code, ...(error.hint !== undefined && { hint: error.hint }) },
  };
};

import { CasementError, type ErrorCode } from './errors.js';
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

const numbers: ReadonlyMap<ErrorCode, number> = new Map<ErrorCode, number>([
  ['invalid-message', wireCodes.invalidRequest],
  ['invalid-params', wireCodes.invalidParams],
  ['method-not-found', wireCodes.methodNotFound],
  ['peer-timeout', wireCodes.timedOut],
  ['resource-timeout', wireCodes.timedOut],
  ['server-timeout', wireCodes.timedOut],
  ['not-initialized', wireCodes.refused],
  ['tool-not-found', wireCodes.refused],
  ['tool-not-visible', wireCodes.refused],
  ['resource-refused', wireCodes.refused],
  ['link-invalid', wireCodes.refused],
  ['link-refused', wireCodes.refused],
  ['link-denied', wireCodes.refused],
  ['message-refused', wireCodes.refused],
  ['message-denied', wireCodes.refused],
  ['context-refused', wireCodes.refused],
  ['download-invalid', wireCodes.refused],
  ['download-denied', wireCodes.refused],
  ['sampling-refused', wireCodes.refused],
  ['sampling-denied', wireCodes.refused],
  ['display-mode-refused', wireCodes.refused],
  ['rate-limited', wireCodes.refused],
  ['message-too-large', wireCodes.refused],
  ['result-too-large', wireCodes.refused],
  ['policy-invalid', wireCodes.refused],
  ['cancelled', wireCodes.refused],
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
    code: numbers.get(error.code) ?? wireCodes.internal,
    message: error.message,
    data: { code: error.code, ...(error.hint !== undefined && { hint: error.hint }) },
  };
};

import type { WireError } from './wire/json-rpc.js';

/** The closed list of things that can go wrong; each has a row in docs/errors.md. */
export const errorCodes = [
  // A session ends with one of these.
  'resource-missing',
  'resource-unreadable',
  'resource-timeout',
  'resource-uri',
  'resource-mime',
  'resource-empty',
  'resource-too-large',
  'resource-undecodable',
  'resource-blocked',
  'family-unsupported',
  'external-refused',
  'sandbox-unreachable',
  'sandbox-unknown',
  'sandbox-blocked-by-page',
  'sandbox-host-refused',
  'sandbox-base-differs',
  'sandbox-ancestor-refused',
  'sandbox-embedder-policy',
  'sandbox-release-differs',
  'sandbox-misconfigured',
  'storage-user-missing',
  'host-code-missing',
  'proxy-restarted',
  'html-never-ran',
  'no-initialize',
  'initialized-missing',
  'script-error',
  'eval-blocked',
  'unsupported-version',
  'app-navigated',
  'app-flooding',
  'app-crashed',
  'app-not-responding',
  'app-stopped',
  'keyboard-taken',
  'server-lost',
  'session-closed',
  // A single request is refused with one of these.
  'not-initialized',
  'tool-not-found',
  'tool-not-visible',
  'tool-call-denied',
  'resource-refused',
  'link-invalid',
  'link-refused',
  'link-denied',
  'message-refused',
  'message-denied',
  'context-refused',
  'widget-state-refused',
  'download-invalid',
  'download-denied',
  'sampling-refused',
  'sampling-denied',
  'app-tool-not-found',
  'app-tool-invalid',
  'display-mode-refused',
  'rate-limited',
  'message-too-large',
  'policy-invalid',
  // The wire itself.
  'invalid-message',
  'invalid-params',
  'method-not-found',
  'peer-timeout',
  'peer-closed',
  'peer-error',
  'cancelled',
  'internal',
  // Gateway and command line.
  'unauthorized',
  'access-unknown',
  'access-used',
  'access-expired',
  'forbidden-host',
  'forbidden-origin',
  'bad-content-type',
  'bad-request',
  'body-too-large',
  'result-too-large',
  'not-found',
  'server-unknown',
  'server-not-ready',
  'server-held',
  'server-exited',
  'server-unreachable',
  'command-invalid',
  'server-sign-in',
  'start-cancelled',
  'certificate-refused',
  'proxy-refused',
  'metadata-invalid',
  'sign-in-unsafe',
  'sign-in-failed',
  'sign-in-denied',
  'sign-in-unknown',
  'server-timeout',
  'server-garbage',
  'server-flooding',
  'tool-failed',
  'model-unknown',
  'model-refused',
  'model-unreachable',
  'model-failed',
  'gateway-lost',
  'consents-unreadable',
  'config-unreadable',
  'config-invalid',
  'config-unwritable',
  'entry-unknown',
  'entry-changed',
  'entry-invalid',
  'entry-read-only',
  'bad-flag',
  'port-taken',
] as const;

/** One of the closed list of codes. */
export type ErrorCode = (typeof errorCodes)[number];

/** The step of a session in which something failed. */
export type SessionStep =
  'resource' | 'sandbox' | 'html' | 'handshake' | 'initialized' | 'running' | 'teardown';

/** What a CasementError may carry besides its code and message. */
export interface CasementErrorDetails {
  step?: SessionStep | undefined;
  hint?: string | undefined;
  wire?: WireError | undefined;
  cause?: unknown;
}

/** Every local failure: what failed (code, step), why (message) and what to do (hint). */
export class CasementError extends Error {
  readonly code: ErrorCode;
  readonly step?: SessionStep;
  readonly hint?: string;
  readonly wire?: WireError;

  constructor(code: ErrorCode, message: string, details: CasementErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.name = 'CasementError';
    this.code = code;
    if (details.step !== undefined) this.step = details.step;
    if (details.hint !== undefined) this.hint = details.hint;
    if (details.wire !== undefined) this.wire = details.wire;
  }

  /** The parts that may leave the process; stack and cause stay behind. */
  toJSON(): { code: ErrorCode; message: string; step?: SessionStep; hint?: string; wire?: WireError } {
    return {
      code: this.code,
      message: this.message,
      ...(this.step !== undefined && { step: this.step }),
      ...(this.hint !== undefined && { hint: this.hint }),
      ...(this.wire !== undefined && { wire: this.wire }),
    };
  }
}

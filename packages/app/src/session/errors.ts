import type { WireError } from './wire-types.js';

/** Everything that can go wrong for an app; closed, so that code may switch on it. */
export const appErrorCodes = [
  /** Asked before `connect()`. */
  'not-connected',
  /** Asked after `close()`, or open when it was called. */
  'closed',
  /** The page is not in a frame: nobody is there to speak to. */
  'no-host',
  /** The page around the app is not one of the trusted origins. */
  'wrong-origin',
  /** The host did not answer in time. */
  'timeout',
  /** Given up by a signal. */
  'cancelled',
  /** Not a message of the protocol, or not the shape it must have. */
  'malformed',
  /** The host said no or failed; `wire` has its words. */
  'refused',
  /** The host did not offer this. */
  'unsupported',
  /** The app did not say in its capabilities that it would. */
  'undeclared',
  /** An option that this package cannot use. */
  'invalid-options',
] as const;
export type AppErrorCode = (typeof appErrorCodes)[number];

/** The one error of this package. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: AppErrorCode;
  /** The host's own error, when it sent one. */
  readonly wire?: WireError;

  constructor(code: AppErrorCode, message: string, options: { wire?: WireError; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    if (options.wire) this.wire = options.wire;
  }
}

/** An error the host is told in these very words. */
export const toRefusal = (code: number, message: string): AppError =>
  new AppError('malformed', message, { wire: { code, message } });

/** Any thrown value as an error, so that a page can show its message. */
export const toError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });

import type { ErrorCode } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import { CasementError, isRecord } from '@casement/protocol/start';
import { toSignInFailure } from '@casement/protocol/ports';
import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from '@modelcontextprotocol/client';
import { readReason } from '../reading/read-reason.js';
import { toExitFailure, type ProcessExit } from '../transport/command-failure.js';
import type { StrayLine } from './stray-lines.js';

/** The request that failed: its server, its method and what is known about the failure. */
export interface FailureContext {
  server: string;
  method: string;
  timeoutMs: number;
  exit?: ProcessExit;
  /** Why we ended the connection, if we did. */
  failure?: CasementError;
  /** A line that the server wrote meanwhile and that is no message. */
  stray?: StrayLine;
  signal?: AbortSignal;
}

const toClosedFailure = ({ server, exit, failure }: FailureContext, cause: unknown): CasementError =>
  failure ??
  (exit === undefined
    ? new CasementError('server-unreachable', `The connection to "${server}" was closed.`, {
        hint: 'Restart the server.',
        cause,
      })
    : toExitFailure(server, exit));

const SIGN_IN_HINT =
  'Sign in when the page asks, or give a token as an Authorization header in the configuration.';

const toHttpFailure = ({ server }: FailureContext, error: SdkHttpError): CasementError => {
  const status = error.status;
  if (status === 401) return toSignInFailure(server, error, SIGN_IN_HINT);
  const reason = toPrintable(error.message, 300, { mode: 'replace' });
  const hint =
    status === 403
      ? 'The server asks for credentials: give them as a header in its configuration.'
      : status === 404
        ? 'The address is wrong, or the session is gone: check the URL, then restart the connection.'
        : 'Check the URL and that the server is running.';
  return new CasementError(
    'server-unreachable',
    `The server "${server}" answered HTTP ${status ?? '?'}: ${reason}`,
    {
      hint,
      cause: error,
    },
  );
};

const toSdkFailure = (context: FailureContext, error: SdkError): CasementError => {
  const { server, method, timeoutMs } = context;
  const text = toReason(error);
  switch (error.code) {
    case SdkErrorCode.RequestTimeout:
      return new CasementError(
        'server-timeout',
        `The server "${server}" did not answer ${method} within ${Math.round(timeoutMs / 100) / 10} s.`,
        { hint: 'It may be stuck: look at its stderr, or restart it.', cause: error },
      );
    case SdkErrorCode.ConnectionClosed:
    case SdkErrorCode.NotConnected:
      return toClosedFailure(context, error);
    case SdkErrorCode.InvalidResult:
    case SdkErrorCode.UnsupportedResultType:
    case SdkErrorCode.ClientHttpUnexpectedContent:
      return new CasementError(
        'server-garbage',
        `The server "${server}" answered ${method} in a wrong shape: ${text}`,
        {
          hint: 'The answer is in the recording; compare it with the specification of this method.',
          cause: error,
        },
      );
    default:
      return context.exit === undefined
        ? new CasementError('server-unreachable', `The server "${server}" could not be reached: ${text}`, {
            hint: 'Check the address or command, then restart it.',
            cause: error,
          })
        : toExitFailure(server, context.exit);
  }
};

/** A JSON-RPC error is the server's own word: its code and text are kept as `wire`. */
const toAnsweredFailure = ({ server, method }: FailureContext, error: ProtocolError): CasementError => {
  const message = toPrintable(error.message, 1000, { mode: 'replace' });
  const wire = { code: error.code, message, ...(error.data !== undefined && { data: error.data }) };
  if (method === 'tools/call') {
    return new CasementError('tool-failed', `The server "${server}" refused the call: ${message}`, { wire });
  }
  if (method === 'resources/read') {
    return new CasementError(
      'resource-missing',
      `The server "${server}" did not give the resource: ${message}`,
      {
        wire,
        hint: 'Check that the address in the tool matches a resource the server registers.',
      },
    );
  }
  return new CasementError(
    'peer-error',
    `The server "${server}" answered ${method} with an error: ${message}`,
    { wire },
  );
};

const silences: readonly ErrorCode[] = ['server-timeout', 'server-exited', 'server-unreachable'];

/**
 * Maps anything thrown while talking to a server to one named failure. It says more than a port's: the gateway also knows
 * how the process ended, why the connection was closed and what the server wrote in place of an answer.
 */
export const toServerFailure = (error: unknown, context: FailureContext): CasementError => {
  const failure = toNamedFailure(error, context);
  const { stray } = context;
  if (stray === undefined || !silences.includes(failure.code)) return failure;
  // A server that wrote something else in place of an answer has most likely said why.
  return new CasementError(failure.code, `${failure.message} Before that it ${stray.words}.`, {
    hint: stray.fix,
    cause: failure,
  });
};

const toNamedFailure = (error: unknown, context: FailureContext): CasementError => {
  const own = error instanceof ProtocolError ? error.data : error;
  if (own instanceof CasementError) return own;
  if (context.signal?.aborted === true) {
    return new CasementError('cancelled', `The request ${context.method} was cancelled.`, { cause: error });
  }
  if (error instanceof RangeError) {
    return new CasementError('bad-request', 'The parameters are nested too deeply to be sent.', {
      hint: 'Use fewer levels of lists and objects.',
      cause: error,
    });
  }
  if (error instanceof SdkHttpError) return toHttpFailure(context, error);
  if (error instanceof InsufficientScopeError) return toSignInFailure(context.server, error, SIGN_IN_HINT);
  if (error instanceof SdkError) return toSdkFailure(context, error);
  if (error instanceof ProtocolError) return toAnsweredFailure(context, error);
  if (error instanceof SyntaxError || (error instanceof Error && error.name === 'ZodError')) {
    return new CasementError('server-garbage', `The server "${context.server}" answered with broken JSON.`, {
      cause: error,
    });
  }
  if (context.exit !== undefined) return toExitFailure(context.server, context.exit);
  return new CasementError(
    'server-unreachable',
    `The server "${context.server}" could not be reached: ${toReason(error)}`,
    {
      hint: 'Check the address or command, then restart it.',
      cause: error,
    },
  );
};

const toReason = (error: unknown): string =>
  toPrintable(readReason(error, readCause) || 'unknown reason', 300, { mode: 'replace' });

/** The official client keeps the cause of its errors under `data`. */
const readCause = (error: Error): unknown =>
  error.cause ?? (error instanceof SdkError && isRecord(error.data) ? error.data.cause : undefined);

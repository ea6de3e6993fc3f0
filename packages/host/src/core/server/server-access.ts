import type { ErrorCode, WireError } from '@casement/protocol';
import { CasementError } from '@casement/protocol/start';
import type { SessionLimits } from '../limits.js';
import type { SessionRecorder } from '../state/session-recorder.js';

/*
 * How an app's handlers reach the app's server.
 *
 * 1. A bounded number of requests run at once, a bounded number wait for a place, the rest are refused.
 * 2. A request is cancelled at the server when the app cancels it or the session fails. A reload or an orderly close
 *    ends only the waiting, because the request may be the app saving; it may go on for `lingerMs`.
 * 3. A failure is told in words made for apps. Whatever else an error says may name paths or keys of this machine, so
 *    it goes to the recording alone.
 */

/** Does something at the app's server, and fails with `failure` where the server gives no reason of its own. */
export type ServerAccess = <T>(
  request: AbortSignal,
  failure: ErrorCode,
  run: (signal: AbortSignal) => Promise<T>,
) => Promise<T>;

/** Makes the way of one session to its server. */
export const createServerAccess = (
  session: { readonly failed: AbortSignal; readonly recorder: SessionRecorder },
  { maxCallsInFlight, maxCallsWaiting, lingerMs }: SessionLimits,
): ServerAccess => {
  const places = createPlaces(maxCallsInFlight, maxCallsWaiting);
  return async (request, failure, run) => {
    await places.take(request);
    const { signal, release } = createServerSignal(request, session.failed, lingerMs);
    try {
      return await run(signal);
    } catch (error) {
      throw toServerFailure(error, failure, session.recorder);
    } finally {
      release();
      places.giveBack();
    }
  };
};

/** `maxTaken` places, and a queue of at most `maxWaiting` for them. */
const createPlaces = (
  maxTaken: number,
  maxWaiting: number,
): { take(signal: AbortSignal): Promise<void>; giveBack(): void } => {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return {
    async take(signal) {
      if (taken < maxTaken) {
        taken += 1;
        return;
      }
      if (waiting.length >= maxWaiting) {
        throw new CasementError('rate-limited', 'Too many calls of this app are under way.', {
          hint: `Wait for answers: ${maxTaken} calls run at once and ${maxWaiting} may wait.`,
        });
      }
      await new Promise<void>((resolve, reject) => {
        const leave = (): void => {
          waiting.splice(waiting.indexOf(go), 1);
          reject(new CasementError('cancelled', 'The call was cancelled before it began.'));
        };
        const go = (): void => {
          signal.removeEventListener('abort', leave);
          resolve();
        };
        waiting.push(go);
        signal.addEventListener('abort', leave, { once: true });
      });
    },
    giveBack() {
      // A waiting call takes over the place, so the count stays as it is.
      const next = waiting.shift();
      if (next) next();
      else taken -= 1;
    },
  };
};

/** A signal for one server request, and what is to be done when that request is over. */
const createServerSignal = (
  request: AbortSignal,
  failed: AbortSignal,
  lingerMs: number,
): { readonly signal: AbortSignal; release(): void } => {
  const controller = new AbortController();
  let lingering: ReturnType<typeof setTimeout> | undefined;
  const onFailed = (): void => controller.abort();
  const onEnded = (): void => {
    const reason: unknown = request.reason;
    const isClosing = reason instanceof CasementError && reason.code === 'session-closed';
    if (isClosing) lingering = setTimeout(onFailed, lingerMs);
    else controller.abort();
  };
  request.addEventListener('abort', onEnded, { once: true });
  failed.addEventListener('abort', onFailed, { once: true });
  return {
    signal: controller.signal,
    release() {
      clearTimeout(lingering);
      request.removeEventListener('abort', onEnded);
      failed.removeEventListener('abort', onFailed);
    },
  };
};

/** What an app is told when its server failed it: -32000 with the reason (S1-54, S1-56), or the number the server gave. */
const toServerFailure = (error: unknown, code: ErrorCode, recorder: SessionRecorder): CasementError => {
  if (error instanceof CasementError && error.code !== 'internal') return error;
  recorder.note('error', { message: String(error), code });
  const wire = readWire(error);
  if (wire) return new CasementError('peer-error', wire.message, { wire });
  return new CasementError(code, 'The server could not do what the app asked for.', {
    hint: 'The host has the details; look at the recording and the log of the server.',
  });
};

/** A JSON-RPC error of the server in the shape SDK clients throw it. */
const readWire = (error: unknown): WireError | undefined => {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const { code, message } = error;
  if (typeof code !== 'number' || !Number.isInteger(code) || code < -32768 || code > -32000) return undefined;
  const data = 'data' in error ? error.data : undefined;
  return { code, message: message.slice(0, 2000), ...(data === undefined ? {} : { data }) };
};

import type { ErrorCode, WireError } from '@casement/protocol';
import { CasementError } from '@casement/protocol';
import type { SessionRecorder } from '../session-recorder.js';

/**
 * What an app is told when its server failed it: -32000 with the reason (S1-54, S1-56), or the number the server
 * gave. A port's own words are passed on only in an error made for it; any other may name paths or keys of this
 * machine, so it goes to the recording alone.
 */
export const toServerFailure = (
  error: unknown,
  code: ErrorCode,
  recorder: SessionRecorder,
): CasementError => {
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

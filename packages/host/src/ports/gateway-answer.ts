import { CasementError, errorCodes, isRecord } from '@casement/protocol';
import type { ErrorCode, WireError } from '@casement/protocol';

const isErrorCode = (value: unknown): value is ErrorCode =>
  // The list is a tuple of literals; membership is what is being asked.
  (errorCodes as readonly unknown[]).includes(value);

/** A JSON-RPC error of the server behind the gateway: the app is to get it as it was. */
const readWire = (value: unknown): WireError | undefined => {
  if (!isRecord(value)) return undefined;
  const { code, message, data } = value;
  if (typeof code !== 'number' || typeof message !== 'string') return undefined;
  return { code, message, ...(data === undefined ? {} : { data }) };
};

const toError = async (response: Response): Promise<CasementError> => {
  const body: unknown = await response.json().catch(() => undefined);
  const error = isRecord(body) && isRecord(body['error']) ? body['error'] : {};
  const { code, message, hint } = error;
  const wire = readWire(error['wire']);
  return new CasementError(
    isErrorCode(code) ? code : 'internal',
    typeof message === 'string' ? message : `The gateway answered ${response.status}.`,
    { ...(typeof hint === 'string' && { hint }), ...(wire && { wire }) },
  );
};

/** Waits for the gateway's response; a lost gateway and an error answer both become a CasementError. */
export const readGatewayResponse = async <R extends Response>(request: Promise<R>): Promise<R> => {
  let response: R;
  try {
    response = await request;
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError')
      throw new CasementError('cancelled', 'The request was cancelled.', { cause });
    throw new CasementError('server-unreachable', 'The gateway cannot be reached.', {
      hint: 'See whether the casement command is still running.',
      cause,
    });
  }
  if (!response.ok) throw await toError(response);
  return response;
};

// Counted where the bytes are at hand: writing a large result out again only to measure it would stall the page.
const sizes = new WeakMap<object, number>();

/** Notes how many bytes a result took on its way to the page. */
export const noteResultSize = <T extends object>(result: T, bytes: number): T => {
  sizes.set(result, bytes);
  return result;
};

/** How many bytes a result took on its way to the page, when it came through a gateway port. */
export const sizeOfResult = (result: object): number | undefined => sizes.get(result);

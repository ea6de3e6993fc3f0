import { lookup as resolveName, type LookupAddress } from 'node:dns';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { toPrintable } from '@casement/protocol/basics';
import { CasementError } from '@casement/protocol/start';
import { checkResolved, parseForeignAddress, toUnsafe } from './address-rules.js';
import { readReason } from '../reading/read-reason.js';

/** What a stranger's answer may cost. */
export interface FetchLimits {
  maxBytes: number;
  timeoutMs: number;
}

const defaultLimits: FetchLimits = { maxBytes: 64 * 1024, timeoutMs: 10_000 };

/** A fetch of the addresses that a server's sign-in names. */
export type GuardedFetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

type Lookup = NonNullable<RequestOptions['lookup']>;

/** Resolves a name and judges what it stands for; the socket connects to exactly these addresses (C15). */
const createLookup =
  (url: URL, server: URL): Lookup =>
  (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const failed = (cause: Error): void => {
        callback(Object.assign(cause, { code: 'ENOTFOUND' }), []);
      };
      if (error !== null) {
        failed(error);
        return;
      }
      try {
        for (const { address } of addresses) checkResolved(address, url, server);
      } catch (refused) {
        // Nothing else is thrown there.
        failed(Object.assign(new Error('refused'), { refused }));
        return;
      }
      const [first] = addresses;
      if (options.all === true) callback(null, addresses);
      else if (first === undefined) failed(new Error('The name has no address.'));
      else callback(null, first.address, first.family);
    });
  };

const toHeaders = (init: RequestInit): Record<string, string> => ({
  ...Object.fromEntries(new Headers(init.headers)),
  // Its real size must be seen.
  'accept-encoding': 'identity',
});

const toBody = ({ body }: RequestInit): string | undefined => {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof URLSearchParams) return body.toString();
  throw new CasementError('internal', 'Only text is sent in a sign-in.');
};

/** Creates the fetch of one server's sign-in. No other origin follows from a redirect, and none at all from a POST. */
export const createGuardedFetch = (
  server: URL,
  { maxBytes, timeoutMs }: FetchLimits = defaultLimits,
): GuardedFetch => {
  const read = async (url: URL, answer: IncomingMessage): Promise<Response> => {
    const encoding = answer.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity')
      throw toFailed(url, 'answers in a form that was not asked for');
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of answer as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > maxBytes) throw toFailed(url, `answers with more than ${maxBytes / 1024} KB`);
      pieces.push(piece);
    }
    const headers = new Headers();
    for (const name of ['content-type', 'location', 'www-authenticate']) {
      const value = answer.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    const status = answer.statusCode ?? 0;
    // Response knows no others, and none with a body here.
    if (status < 200 || status > 599) throw toFailed(url, 'does not answer in HTTP');
    const body = status === 204 || status === 205 || status === 304 ? null : Buffer.concat(pieces);
    return new Response(body, { status, headers });
  };

  return async (input, init = {}) => {
    const url = parseForeignAddress(String(input), server);
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = init.signal ? AbortSignal.any([timeout, init.signal]) : timeout;
    const body = toBody(init);
    const method = init.method ?? 'GET';
    // Most starts sign in nowhere, and need no TLS.
    const open = url.protocol === 'https:' ? (await import('node:https')).request : httpRequest;
    try {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        const settings = {
          method,
          headers: toHeaders(init),
          signal,
          agent: false,
          lookup: createLookup(url, server),
        };
        const asked = open(url, settings, resolve);
        asked.on('error', reject);
        asked.end(body);
      });
      try {
        refuseRedirect(url, method, answer);
        return await read(url, answer);
      } finally {
        answer.destroy();
      }
    } catch (error) {
      throw toNamed(url, error, timeout.aborted ? timeoutMs : undefined);
    }
  };
};

/** The official client follows a redirect within the origin, through this fetch again; every other one ends here. */
const refuseRedirect = (url: URL, method: string, { statusCode = 0, headers }: IncomingMessage): void => {
  if (statusCode < 300 || statusCode > 399 || statusCode === 304) return;
  const { location = '' } = headers;
  const target = URL.canParse(location, url) ? new URL(location, url) : undefined;
  if (method === 'GET' && target?.origin === url.origin) return;
  throw toUnsafe(
    `Its sign-in at "${url.host}" redirects to another address.`,
    'Nothing was sent there. Tell whoever runs the server.',
  );
};

const toFailed = (url: URL, what: string, cause?: unknown): CasementError =>
  new CasementError('sign-in-failed', `The sign-in at "${url.host}" ${what}.`, {
    hint: 'Try again; if it stays so, tell whoever runs the server.',
    cause,
  });

const toNamed = (url: URL, error: unknown, timeoutMs?: number): CasementError => {
  if (error instanceof CasementError) return error;
  if (error instanceof Error && 'refused' in error && error.refused instanceof CasementError)
    return error.refused;
  if (timeoutMs !== undefined) return toFailed(url, `did not answer within ${timeoutMs / 1000} s`, error);
  const why = toPrintable(readReason(error) || 'unknown reason', 200, { mode: 'replace' });
  return toFailed(url, `could not be reached: ${why}`, error);
};

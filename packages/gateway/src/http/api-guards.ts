import { createHash, timingSafeEqual } from 'node:crypto';
import { CasementError } from '@casement/protocol/start';
import type { Context, MiddlewareHandler } from 'hono';
import { isSandboxOrigin, type GatewayAddress } from './gateway-address.js';

/**
 * The guards, in the order they run. Under DNS rebinding a page is same-origin with itself and sends neither
 * Origin nor Sec-Fetch-Site, so Host is the only signal; hence it is checked first and on every path (C04, C05).
 */
export const guardHost =
  (address: GatewayAddress): MiddlewareHandler =>
  async (c, next) => {
    if (!address.pageHosts.has(c.req.header('host') ?? '')) {
      throw new CasementError('forbidden-host', 'This server does not answer to that name.');
    }
    const origin = c.req.header('origin');
    // T2: an app knows our address; nothing of the page server is for it, not even a file.
    if (origin !== undefined && isSandboxOrigin(origin, address)) {
      throw new CasementError('forbidden-origin', 'Sandboxed apps have no access to this server.');
    }
    await next();
  };

/** Only the page itself, or a program that is no browser, may speak to the API (C10 … C12). */
export const guardOrigin: MiddlewareHandler = async (c, next) => {
  const origin = c.req.header('origin');
  if (origin !== undefined && origin !== `http://${c.req.header('host') ?? ''}`) {
    throw new CasementError('forbidden-origin', 'The API answers only its own page.');
  }
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') {
    throw new CasementError('forbidden-origin', 'The API answers only its own page.');
  }
  await next();
};

/**
 * Whether a request can have a body. To look at `raw.body` itself makes a whole Request of the adapter's stand-in, which
 * costs more than most answers to the others.
 */
export const mayHaveBody = ({ req: { method } }: Context): boolean => method !== 'GET' && method !== 'HEAD';

/** A body that a plain HTML form could send is never read (C01, C02). */
export const guardContentType: MiddlewareHandler = async (c, next) => {
  if (mayHaveBody(c)) {
    const [type = ''] = (c.req.header('content-type') ?? '').split(';');
    if (type.trim().toLowerCase() !== 'application/json') {
      throw new CasementError('bad-content-type', 'The API takes application/json only.');
    }
  }
  await next();
};

/**
 * Makes a body of unknown length readable by the size limit, which rebuilds such a request: only a real Request
 * survives that, the adapter's stand-in does not, and every chunked body would end as an internal error.
 */
export const prepareChunkedBody: MiddlewareHandler = async (c, next) => {
  if (mayHaveBody(c) && !c.req.raw.headers.has('content-length') && c.req.raw.body !== null) {
    const { body, headers, method, signal, url } = c.req.raw;
    // A streamed body needs `duplex`, which the DOM's types do not know.
    const init: RequestInit & { duplex: 'half' } = { method, headers, body, signal, duplex: 'half' };
    c.req.raw = new Request(url, init);
  }
  await next();
};

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The token, from the header only and compared in constant time (C07, C08). */
export const guardToken = (token: string): MiddlewareHandler => {
  const expected = digest(`Bearer ${token}`);
  return async (c, next) => {
    if (!timingSafeEqual(digest(c.req.header('authorization') ?? ''), expected)) {
      throw new CasementError('unauthorized', 'The token is missing or wrong.', {
        hint: 'Open the address that the command line printed.',
      });
    }
    await next();
  };
};

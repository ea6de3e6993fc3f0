import { createHash, timingSafeEqual } from 'node:crypto';
import { CasementError } from '@casement/protocol/start';
import { mayHaveBody, type Asked } from './exchange.js';
import { isSandboxOrigin, type GatewayAddress } from './gateway-address.js';

/** Lets a request pass or throws why not. */
export type Guard = (asked: Asked) => void;

/**
 * The guards, in the order they run. Under DNS rebinding a page is same-origin with itself and sends neither
 * Origin nor Sec-Fetch-Site, so Host is the only signal; hence it is checked first and on every path (C04, C05).
 */
export const guardHost =
  (address: GatewayAddress): Guard =>
  ({ headers: { host = '', origin } }) => {
    if (!address.pageHosts.has(host)) {
      throw new CasementError('forbidden-host', 'This server does not answer to that name.');
    }
    // T2: an app knows our address; nothing of the page server is for it, not even a file.
    if (origin !== undefined && isSandboxOrigin(origin, address)) {
      throw new CasementError('forbidden-origin', 'Sandboxed apps have no access to this server.');
    }
  };

/** Only the page itself, or a program that is no browser, may speak to the API (C10 … C12). */
export const guardOrigin: Guard = ({ headers: { host = '', origin, 'sec-fetch-site': site } }) => {
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new CasementError('forbidden-origin', 'The API answers only its own page.');
  }
  if (site !== undefined && site !== 'same-origin') {
    throw new CasementError('forbidden-origin', 'The API answers only its own page.');
  }
};

/** A body that a plain HTML form could send is never read (C01, C02). */
export const guardContentType: Guard = (asked) => {
  if (!mayHaveBody(asked)) return;
  const [type = ''] = (asked.headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/json') {
    throw new CasementError('bad-content-type', 'The API takes application/json only.');
  }
};

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The token, from the header only and compared in constant time (C07, C08). */
export const guardToken = (token: string): Guard => {
  const expected = digest(`Bearer ${token}`);
  return ({ headers: { authorization = '' } }) => {
    if (!timingSafeEqual(digest(authorization), expected)) {
      throw new CasementError('unauthorized', 'The token is missing or wrong.', {
        hint: 'Open the address that the command line printed.',
      });
    }
  };
};

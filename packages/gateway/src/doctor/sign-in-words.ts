import { toPrintable } from '@casement/protocol/basics';
import type { Verdict } from './start-log.js';

/** A challenge is short; of a longer one the beginning is read. */
const MAX_HEADER = 2000;

/** What a server says of the sign-in that it wants (the header WWW-Authenticate). */
export interface Challenge {
  scheme: string;
  realm?: string;
  error?: string;
  description?: string;
  scope?: string;
  /** The address of the document about signing in. */
  metadata?: string;
}

const parameter = /([a-z_]{1,40})\s?=\s?(?:"([^"]{0,500})"|([^\s",]{1,500}))/gi;

/** Reads a challenge; whatever is not understood is left out. */
export const parseChallenge = (header: string): Challenge => {
  const text = header.slice(0, MAX_HEADER);
  const values = new Map(
    [...text.matchAll(parameter)].map(([, name = '', quoted, plain]) => [
      name.toLowerCase(),
      toPrintable(quoted ?? plain ?? '', 200, { mode: 'replace' }),
    ]),
  );
  const pick = (name: string, as: keyof Challenge) => {
    const value = values.get(name);
    return value === undefined ? {} : { [as]: value };
  };
  return {
    scheme: toPrintable(/^[\w-]{1,30}/.exec(text.trim())?.[0] ?? 'an unnamed scheme', 40),
    ...pick('realm', 'realm'),
    ...pick('error', 'error'),
    ...pick('error_description', 'description'),
    ...pick('scope', 'scope'),
    ...pick('resource_metadata', 'metadata'),
  };
};

/** The sign-in that a server wants, in words. */
export const toSignInVerdict = (header: string | undefined, hasCredentials: boolean): Verdict => {
  const fix = hasCredentials
    ? 'Give others in the configuration; without an Authorization header there you can sign in in the page.'
    : 'Sign in in the page, or give a token as an Authorization header in the configuration.';
  const refused = hasCredentials
    ? 'The server does not accept the credentials it was given'
    : 'The server asks who you are';
  if (header === undefined)
    return { verdict: `${refused} (HTTP 401), and does not say how to sign in.`, fix };
  const { scheme, realm, error, description, scope } = parseChallenge(header);
  const parts = [
    `${refused} (HTTP 401): it wants ${scheme}`,
    realm !== undefined && `for "${realm}"`,
    scope !== undefined && `with the scopes "${scope}"`,
    (description ?? error) !== undefined && `and says "${description ?? error ?? ''}"`,
  ];
  return { verdict: `${parts.filter(Boolean).join(' ')}.`, fix };
};

import { CasementError } from '../errors.js';

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/**
 * Hashes what a server is (its URL, its command and folder) into a name that tells apps nothing of it. The salt is
 * the embedder's, kept from load to load: without one, likely addresses could be hashed and compared.
 */
export const toServerIdentity = async (what: string, salt: string): Promise<string> => {
  if (what === '' || salt === '')
    throw new CasementError('invalid-params', 'A server identity needs something to hash and a salt.');
  // The length keeps salt and text apart: no two pairs give the same bytes.
  const bytes = new TextEncoder().encode(`${salt.length}:${salt}${what}`);
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
};

/** The identity that was given, if it can stand in an address, or a random one. */
export const readIdentity = (given: string | undefined): string => {
  if (given === undefined) return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
  if (/^[\w-]{1,128}$/.test(given)) return given;
  throw new CasementError(
    'invalid-params',
    'A server identity consists of at most 128 letters, digits, "_" and "-".',
    { hint: 'Apps can read it: hash what the server is with toServerIdentity(what, salt).' },
  );
};

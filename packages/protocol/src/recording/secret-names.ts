/** What stands where a secret stood. */
export const REDACTED = '[redacted]';

/** How the members below a key are read: as they are, as HTTP headers, or as environment variables. */
export type Scope = 'plain' | 'headers' | 'env';

const secretKey =
  /^(?:proxy-?)?authorization$|^(?:set-?)?cookie$|(?:token|secret|password|passwd|passphrase|api[-_]?key|private[-_]?key|credentials?)$/i;
/** Named like secrets, but they number a progress stream or a page. */
const plainKey = /(?:progress|page|cursor)[-_]?token$/i;
/** The last letters of all names of secrets. Most keys end differently, so one test is all they cost. */
const tellingEnd = /[nedtyls]$/i;
const plainHeader =
  /^(?:accept|content-|user-agent|mcp-protocol-version|host|origin|cache-control|date|server|vary)/i;

/** Keys are foreign text of any length; longer ones are told by their end. */
const TOLD_BY = 64;

/** Whether a text or number under this key is a secret, and so a list of texts. */
export const isSecretName = (key: string, scope: Scope): boolean => {
  const end = key.length > TOLD_BY ? key.slice(-TOLD_BY) : key;
  if (tellingEnd.test(end) && secretKey.test(end) && !plainKey.test(end)) return true;
  return scope === 'env' || (scope === 'headers' && !plainHeader.test(key));
};

/** What the members below this key are. */
export const toScope = (key: string, scope: Scope): Scope => {
  if (key.length > TOLD_BY) return scope;
  if (/^env(?:ironment)?$/i.test(key)) return 'env';
  return /^(?:request|response|http)?-?headers$/i.test(key) ? 'headers' : scope;
};

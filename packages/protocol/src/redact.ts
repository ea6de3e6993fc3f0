import { isRecord } from './is-record.js';

/** What stands where a secret stood. */
const REDACTED = '[redacted]';
const MAX_STRING = 128 * 1024;
const MAX_DEPTH = 64;
const MAX_NODES = 200_000;

const secretKey =
  /^(?:proxy-?)?authorization$|^(?:set-?)?cookie$|(?:token|secret|password|passwd|passphrase|api[-_]?key|private[-_]?key|credentials?)$/i;
/** Named like secrets, but they number a progress stream or a page. */
const plainKey = /(?:progress|page|cursor)[-_]?token$/i;
const plainHeader =
  /^(?:accept|content-|user-agent|mcp-protocol-version|host|origin|cache-control|date|server|vary)/i;

/** Something after "Bearer" or "Basic" that is no ordinary word: it has a digit, sign or inner capital. */
const looksEncoded = String.raw`(?=[\w~-]{0,512}[\d.+/=]|[\w~-]{1,512}[A-Z])`;

/** Bounded repetitions throughout: a guest chooses the text, and matching must stay linear. */
const patterns: readonly [RegExp, string][] = [
  [/([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#@"'<>]{1,1024}@/gi, `$1${REDACTED}@`],
  [
    /((?:[?&#;]|--)(?:[\w.~-]{0,64}(?:token|secret|password|passwd|passphrase|api[-_]?key|signature|credentials?)|(?:[\w.~-]{0,64}[-_.])?(?:key|sig|auth|code))=)[^&#\s"'<>]+/gi,
    `$1${REDACTED}`,
  ],
  [
    new RegExp(String.raw`\b([Bb]earer|[Bb]asic|BEARER|BASIC)\s{1,4}${looksEncoded}[\w.~+/=-]{6,}`, 'g'),
    `$1 ${REDACTED}`,
  ],
  [/\beyJ[\w-]{6,}\.[\w-]{6,}\.[\w-]*/g, REDACTED],
  [
    /\b(?:sk|pk|rk)[-_][\w-]{16,}|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bxox[a-z]-[\w-]{10,}|\bAKIA[A-Z0-9]{12,}/g,
    REDACTED,
  ],
];

type Scope = 'plain' | 'headers' | 'env';

/** A copy fit for storage: secrets out, long strings cut, cycles and depth bounded, plain JSON only; never throws. */
export const redact = (value: unknown): unknown => {
  const ancestors = new Set<object>();
  let nodes = 0;

  const visit = (current: unknown, depth: number, scope: Scope): unknown => {
    if (typeof current === 'string') return redactString(current);
    if (typeof current === 'number') return Number.isFinite(current) ? current : `[${current}]`;
    if (current === null || typeof current === 'boolean' || current === undefined) return current;
    if (typeof current !== 'object') return `[${typeof current}]`;
    if (ancestors.has(current)) return '[cycle]';
    if (depth > MAX_DEPTH) return '[too deep]';
    ancestors.add(current);
    const copy = copyContainer(current, depth, scope);
    ancestors.delete(current);
    return copy;
  };

  /** Counts values as they are taken: objects shared many times over would otherwise multiply without end. */
  const take = <T>(members: readonly T[]): readonly T[] => {
    const taken = members.slice(0, MAX_NODES - nodes);
    nodes += taken.length;
    return taken;
  };

  const copyContainer = (current: object, depth: number, scope: Scope): unknown => {
    if (Array.isArray(current)) {
      const items = take(current);
      const missing = current.length - items.length;
      const copies = items.map((item) => visit(item, depth + 1, scope) ?? null);
      return missing > 0 ? [...copies, `[${missing} more]`] : copies;
    }
    if (!isRecord(current)) return Object.prototype.toString.call(current);
    const keys = Object.keys(current);
    const taken = take(keys);
    const members = taken.map((key): [string, unknown] => [
      key,
      visitMember(key, current[key], depth, scope),
    ]);
    if (taken.length < keys.length) members.push(['[more]', keys.length - taken.length]);
    // fromEntries defines properties, so an own "__proto__" stays data (B19).
    return Object.fromEntries(members);
  };

  const visitMember = (key: string, member: unknown, depth: number, scope: Scope): unknown => {
    const secret = secretKey.test(key) && !plainKey.test(key);
    if (typeof member === 'string' || typeof member === 'number') {
      if (secret || scope === 'env' || (scope === 'headers' && !plainHeader.test(key))) return REDACTED;
    }
    // An object under such a name is a schema or a nested record; a list of strings is a list of secrets.
    if (secret && Array.isArray(member) && member.some((item) => typeof item === 'string')) return REDACTED;
    return visit(member, depth + 1, toScope(key, scope));
  };

  try {
    return visit(value, 0, 'plain');
  } catch {
    return '[unreadable]';
  }
};

const toScope = (key: string, scope: Scope): Scope => {
  if (/^env(?:ironment)?$/i.test(key)) return 'env';
  if (/^(?:request|response|http)?-?headers$/i.test(key)) return 'headers';
  return scope;
};

const redactString = (text: string): string => {
  // A little more than is kept, so that a secret across the cut is seen whole.
  let clean = text.length > MAX_STRING ? text.slice(0, MAX_STRING + 4096) : text;
  for (const [pattern, replacement] of patterns) clean = clean.replace(pattern, replacement);
  return text.length > MAX_STRING
    ? `${clean.slice(0, MAX_STRING)}[truncated: ${text.length} characters in all]`
    : clean;
};

import { isRecord } from './is-record.js';

/** What stands where a secret stood. */
const REDACTED = '[redacted]';
const MAX_STRING = 128 * 1024;
const MAX_DEPTH = 64;
const MAX_NODES = 200_000;

const secretKey =
  /^(?:proxy-?)?authorization$|^(?:set-?)?cookie$|(?:token|secret|password|passwd|passphrase|api[-_]?key|private[-_]?key|credentials?)$/i;
/** Named like a secret, but names a progress stream. */
const plainKey = /^progress[-_]?token$/i;
const plainHeader =
  /^(?:accept|content-|user-agent|mcp-protocol-version|host|origin|cache-control|date|server|vary)/i;

const patterns: readonly [RegExp, string][] = [
  [/([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#@"'<>]{1,1024}@/gi, `$1${REDACTED}@`],
  [
    /([?&#;][\w.~-]{0,64}(?:token|secret|password|passwd|key|signature|sig|auth|code|credential)s?=)[^&#\s"'<>]+/gi,
    `$1${REDACTED}`,
  ],
  [/\b(bearer|basic)\s{1,4}[\w.~+/=-]{6,}/gi, `$1 ${REDACTED}`],
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
    if (++nodes > MAX_NODES) return '[too many values]';
    ancestors.add(current);
    const copy = copyContainer(current, depth, scope);
    ancestors.delete(current);
    return copy;
  };

  const copyContainer = (current: object, depth: number, scope: Scope): unknown => {
    if (Array.isArray(current)) {
      const room = Math.max(0, MAX_NODES - nodes);
      const kept = current.slice(0, room).map((item) => visit(item, depth + 1, scope) ?? null);
      nodes += kept.length;
      return kept.length < current.length ? [...kept, `[${current.length - kept.length} more]`] : kept;
    }
    if (!isRecord(current)) return Object.prototype.toString.call(current);
    // fromEntries defines properties, so an own "__proto__" stays data (B19).
    return Object.fromEntries(
      Object.keys(current).map((key) => [key, visitMember(key, current[key], depth, scope)]),
    );
  };

  const visitMember = (key: string, member: unknown, depth: number, scope: Scope): unknown => {
    if (typeof member === 'string' || typeof member === 'number') {
      if (scope === 'env') return REDACTED;
      if (scope === 'headers' && !plainHeader.test(key)) return REDACTED;
      if (secretKey.test(key) && !plainKey.test(key)) return REDACTED;
    }
    if (Array.isArray(member) && secretKey.test(key) && member.some((item) => typeof item === 'string')) {
      return REDACTED;
    }
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

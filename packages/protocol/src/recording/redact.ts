import { hideSecrets } from './hide-secrets.js';
import { isRecord } from '../is-record.js';
import { REDACTED, isSecretName, toScope, type Scope } from './secret-names.js';

/** What one entry may keep, however it is spread: a guest chooses whether it sends one long text or a million. */
const MAX_VALUES = 25_000;
const MAX_LONG_TEXT = 128 * 1024;
/** Short texts have a purse of their own, so that one long text does not hide the names and ids that follow it. */
const MAX_SHORT_TEXT = 64 * 1024;
const SHORT = 512;
const MAX_STRING = 64 * 1024;
const MAX_KEY = 256;
const MAX_DEPTH = 64;

/** What tells of what kind a message is; read first, so that nothing else in the message can use up their room. */
const leadingKeys = ['id', 'method', 'type', 'params', 'result', 'error'];
/** How deep copies are remembered: today's form of a message has the same parts as the form it came in. */
const SHARED_DEPTH = 2;

/** Makes copies fit for storage that share one budget: the parts of one entry. */
export interface Redactor {
  redact(value: unknown): unknown;
  /** About how many bytes the copies take in memory. */
  readonly size: number;
}

const toLeftOut = (count: number, what: string): string => `[… ${count} ${what} left out]`;

let lastCut = { head: '', length: 0, copy: '' };

/**
 * The beginning of a long text, without its secrets. The last one is kept: all apps of a server are sent the same
 * document, and a hundred recordings share one copy of it.
 */
const cutText = (text: string, at: number): string => {
  const head = text.slice(0, at);
  if (lastCut.length !== text.length || lastCut.head !== head) {
    // Joined, as a piece of a long text would keep all of it in memory.
    const copy = [hideSecrets(head, true), toLeftOut(text.length - at, 'characters')].join('');
    lastCut = { head: [head, ''].join(''), length: text.length, copy };
  }
  return lastCut.copy;
};

/** A redactor for one entry. What it does not look at it does not copy, and says how much that was. */
export const createRedactor = (): Redactor => {
  const left = { values: MAX_VALUES, long: MAX_LONG_TEXT, short: MAX_SHORT_TEXT };
  const ancestors = new Set<object>();
  const copies = new Map<object, { readonly scope: Scope; readonly copy: unknown }>();
  let renamed = 0;
  let size = 0;

  /** Takes as much of a text's length as may still be read. */
  const take = (length: number): number => {
    const purse = length <= SHORT && length <= left.short ? 'short' : 'long';
    const taken = Math.min(length, MAX_STRING, left[purse]);
    left[purse] -= taken;
    return taken;
  };

  const copyText = (text: string): string => {
    const length = take(text.length);
    size += 2 * length + 16;
    return length === text.length ? hideSecrets(text) : cutText(text, length);
  };

  /** The key as it is stored; one that had to change gets a number, since two may have become the same. */
  const toKey = (key: string): string => {
    const clean =
      key.length > MAX_KEY
        ? [hideSecrets(key.slice(0, MAX_KEY), true), toLeftOut(key.length - MAX_KEY, 'characters')].join('')
        : hideSecrets(key);
    return clean === key ? key : `${clean} #${(renamed += 1)}`;
  };

  const visit = (current: unknown, depth: number, scope: Scope): unknown => {
    size += 8;
    if (typeof current === 'string') return copyText(current);
    if (typeof current === 'number') return Number.isFinite(current) ? current : `[${current}]`;
    if (current === null || typeof current === 'boolean' || current === undefined) return current;
    if (typeof current !== 'object') return `[${typeof current}]`;
    if (ancestors.has(current)) return '[cycle]';
    if (depth > MAX_DEPTH) return '[too deep]';
    const known = depth <= SHARED_DEPTH ? copies.get(current) : undefined;
    if (known?.scope === scope) return known.copy;
    ancestors.add(current);
    const copy = copyContainer(current, depth, scope);
    ancestors.delete(current);
    if (depth <= SHARED_DEPTH) copies.set(current, { scope, copy });
    return copy;
  };

  const copyContainer = (current: object, depth: number, scope: Scope): unknown => {
    if (Array.isArray(current)) return copyList(current, depth, scope);
    return isRecord(current) ? copyRecord(current, depth, scope) : Object.prototype.toString.call(current);
  };

  const copyList = (list: readonly unknown[], depth: number, scope: Scope): unknown => {
    // Counted as they are taken: objects shared many times over would otherwise multiply without end.
    const count = Math.min(list.length, left.values);
    left.values -= count;
    const copy: unknown[] = [];
    for (let index = 0; index < count; index++) copy.push(visit(list[index], depth + 1, scope) ?? null);
    if (count < list.length) copy.push(toLeftOut(list.length - count, 'values'));
    return copy;
  };

  const copyRecord = (record: Record<string, unknown>, depth: number, scope: Scope): unknown => {
    // Once the room is used up, not even the keys are counted.
    if (left.values === 0 && depth > 0) return '[… an object left out]';
    const leading = depth === 0 ? copyLeading(record, scope) : none;
    const keys = Object.keys(record);
    let count = 0;
    for (; count < keys.length && left.values > 0; count++) {
      const length = Math.min(keys[count]?.length ?? 0, MAX_KEY);
      if (take(length) < length) break;
      left.values--;
    }
    const copy: Record<string, unknown> = {};
    for (let index = 0; index < count; index++) {
      const key = keys[index] ?? '';
      const member = leading.has(key) ? leading.get(key) : copyMember(key, record[key], depth, scope);
      define(copy, toKey(key), member);
    }
    if (count < keys.length) {
      for (const [key, member] of leading) define(copy, key, member);
      const missing = keys.length - Object.keys(copy).length;
      if (missing > 0) define(copy, '[…]', `${missing} members left out`);
    }
    return copy;
  };

  const copyLeading = (message: Record<string, unknown>, scope: Scope): ReadonlyMap<string, unknown> => {
    const copied = new Map<string, unknown>();
    for (const key of leadingKeys) {
      if (!Object.hasOwn(message, key)) continue;
      const member = message[key];
      const isShort = typeof member === 'string' && member.length <= SHORT;
      copied.set(key, isShort ? hideSecrets(member) : copyMember(key, member, 0, scope));
    }
    return copied;
  };

  const copyMember = (key: string, member: unknown, depth: number, scope: Scope): unknown => {
    if (typeof member === 'string' || typeof member === 'number') {
      return isSecretName(key, scope) ? REDACTED : visit(member, depth + 1, scope);
    }
    if (typeof member !== 'object' || member === null) return visit(member, depth + 1, scope);
    // An object under such a name is a schema or a nested record; a list of strings is a list of secrets.
    if (Array.isArray(member) && isSecretName(key, scope) && member.some((item) => typeof item === 'string'))
      return REDACTED;
    return visit(member, depth + 1, toScope(key, scope));
  };

  return {
    redact(value) {
      try {
        return visit(value, 0, 'plain');
      } catch {
        ancestors.clear();
        return '[unreadable]';
      }
    },
    get size() {
      return size;
    },
  };
};

const none: ReadonlyMap<string, unknown> = new Map();

/** An own "__proto__" stays data (B19). */
const define = (copy: Record<string, unknown>, key: string, value: unknown): void => {
  if (key !== '__proto__') copy[key] = value;
  else Object.defineProperty(copy, key, { value, configurable: true, enumerable: true, writable: true });
};

/** A copy fit for storage: secrets out, length, number and depth bounded, plain JSON only; never throws. */
export const redact = (value: unknown): unknown => createRedactor().redact(value);

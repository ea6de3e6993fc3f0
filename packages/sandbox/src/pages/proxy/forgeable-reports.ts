// What a loader reports can be said by guest code as well, so each report is cut down to short text and numbers.
import { isObject, type Message } from '../is-object.js';

const toFields = (params: unknown, texts: Readonly<Record<string, number>>): Message => {
  const given = isObject(params) ? params : {};
  const fields = Object.entries(texts).map(([name, length]) => {
    const value = given[name];
    return [name, typeof value === 'string' ? value.slice(0, length) : undefined];
  });
  const places = ['line', 'column'].map((name) => {
    const value = given[name];
    return [name, Number.isSafeInteger(value) ? value : undefined];
  });
  return Object.fromEntries([...fields, ...places].filter(([, value]) => value !== undefined));
};

/** The parameters of a report that the content policy blocked something. */
export const toViolation = (params: unknown): Message => ({
  directive: '',
  blockedUri: '',
  ...toFields(params, {
    directive: 2000,
    blockedUri: 2000,
    sourceFile: 2000,
    sample: 2000,
    disposition: 2000,
  }),
});

/** The parameters of a report about an uncaught error of the guest's scripts. */
export const toScriptError = (params: unknown): Message => ({
  message: '',
  ...toFields(params, { message: 500, sourceFile: 2000, stack: 4000 }),
});

/** The parameters of a report that the page of an MCP-UI app loaded; `spoke`: it has sent a message before. */
export const toPageLoad = (params: unknown): Message => ({
  spoke: isObject(params) && params['spoke'] === true,
});

const MAX_ITEMS = 150;
/** Values, members and fields of one report together, and the characters of their texts. */
const MAX_NODES = 5000;
const MAX_CHARACTERS = 256 * 1024;
const MAX_TEXT = 2000;
const MAX_DEPTH = 12;

/**
 * The parameters of a report of what the guest's page does: plain values, copied until one of the bounds is met. What
 * they mean is read by the host.
 */
export const toEvidence = (params: unknown): Message => {
  let nodes = MAX_NODES;
  let room = MAX_CHARACTERS;
  const copyText = (value: string): string => {
    const text = value.slice(0, Math.min(MAX_TEXT, room));
    room -= text.length;
    return text;
  };
  const copy = (value: unknown, depth: number): unknown => {
    if ((nodes -= 1) < 0 || depth > MAX_DEPTH) return null;
    if (typeof value === 'string') return copyText(value);
    if (Array.isArray(value)) return value.slice(0, Math.max(0, nodes)).map((item) => copy(item, depth + 1));
    if (!isObject(value)) return value;
    const entries = Object.entries(value).slice(0, 20);
    return Object.fromEntries(entries.map(([key, item]) => [copyText(key), copy(item, depth + 1)]));
  };
  const { items, left } = isObject(params) ? params : {};
  const given = Array.isArray(items) ? items : [];
  const cut = Math.max(0, given.length - MAX_ITEMS);
  return {
    items: given
      .slice(0, MAX_ITEMS)
      .filter(isObject)
      .map((item) => copy(item, 0))
      .filter(isObject),
    left: cut + (Number.isSafeInteger(left) && Number(left) >= 0 ? Math.min(Number(left), 1e9) : 0),
  };
};

// What a guest may send: how often, how much, and JSON-RPC alone.
import { isObject } from '../is-object.js';

/** A JSON-RPC object, its members still unknown. */
export type Message = Readonly<Record<string, unknown>>;

/** A busy app (a pointer drag at 120 Hz, a burst of logs at start) stays far below; a flood is cut at the door. */
const BURST = 1000;
const PER_SECOND = 250;
const LENGTH_PER_TOKEN = 32 * 1024;
const MAX_MESSAGE_LENGTH = 4 * 1024 * 1024;

/** The tokens a message costs besides its first, so that a few huge messages cost as much as many small ones. */
export const toCost = (length: number): number => Math.floor(length / LENGTH_PER_TOKEN);

/** Creates a bucket that holds 1000 tokens and gets 250 new ones a second. */
export const createTokenBucket = (now: () => number = () => performance.now()) => {
  let tokens = BURST;
  let filledAt = now();
  return {
    take: (count: number): boolean => {
      const time = now();
      tokens = Math.min(BURST, tokens + ((time - filledAt) / 1000) * PER_SECOND);
      filledAt = time;
      if (tokens < count) return false;
      tokens -= count;
      return true;
    },
  };
};

/**
 * Whether a value's JSON text stays below a limit, without making that text: structured clone keeps shared
 * references, so a few nested objects can unfold to gigabytes. Everything is counted as often as it would be written;
 * a cycle runs into the limit like anything else that is too long.
 */
export const isLengthWithin = (value: unknown, limit: number): boolean => {
  const open: unknown[] = [value];
  let length = 0;
  while (open.length > 0) {
    const next = open.pop();
    length += typeof next === 'string' ? next.length + 2 : 2;
    if (typeof next === 'object' && next !== null) {
      const keys = Object.keys(next);
      if (!Array.isArray(next)) for (const key of keys) length += key.length;
      // Before the parts are put on the stack: a wide object must not cost more than the limit allows.
      if (length + keys.length > limit) return false;
      for (const key of keys) open.push(Reflect.get(next, key));
    }
    if (length > limit) return false;
  }
  return true;
};

const isJsonRpc = (value: unknown): value is Message =>
  isObject(value) &&
  value['jsonrpc'] === '2.0' &&
  (typeof value['method'] === 'string' || 'result' in value || 'error' in value);

/** A message rebuilt from its JSON text, or why it may not pass and what of it could be read. */
export type GuestMessage =
  | { readonly message: Message; readonly length: number }
  | { readonly refused: 'too-large' | 'not-json-rpc'; readonly data: unknown };

/** Reads what a guest posted; only JSON-RPC of at most 4 MB passes. */
export const readGuestMessage = (data: unknown): GuestMessage => {
  if (!isLengthWithin(data, MAX_MESSAGE_LENGTH)) return { refused: 'too-large', data };
  let text: string | undefined;
  let message: unknown;
  try {
    text = JSON.stringify(data);
    if (text.length > MAX_MESSAGE_LENGTH) return { refused: 'too-large', data };
    message = JSON.parse(text);
  } catch {
    return { refused: 'not-json-rpc', data };
  }
  return isJsonRpc(message) ? { message, length: text.length } : { refused: 'not-json-rpc', data: message };
};

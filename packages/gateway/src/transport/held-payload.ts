import { isRecord } from '@casement/protocol/start';

/** The key under which a stand-in carries its payload. No server can send a `Held`. */
const KEY = 'casement/held';
const MAX_MEMBERS = 64;
const MAX_TEXT = 1024;

/** The payload of a big message. */
class Held {
  readonly payload: Record<string, unknown>;
  constructor(payload: Record<string, unknown>) {
    this.payload = payload;
  }
}

/** What a JSON-RPC message is made of. */
const envelope = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'];
const sizes = new WeakMap<object, number>();

/** The size in bytes of the message that a payload came in; 0 for one that was not big. */
export const readSize = (payload: object): number => sizes.get(payload) ?? 0;

/**
 * Replaces the result or parameters of a big message by a small stand-in that carries them along. The official client
 * copies and checks every message several times; of a big one it gets only what it acts on: the short members.
 */
export const holdPayload = (message: Record<string, unknown>, bytes: number): Record<string, unknown> => {
  const small = toEnvelope(message);
  const name = 'method' in message ? 'params' : 'result';
  const payload = message[name];
  if (!isRecord(payload)) return small;
  sizes.set(payload, bytes);
  return { ...small, [name]: { ...toShort(payload, 2), [KEY]: new Held(payload) } };
};

/** Keeps the members that a message may have. All others become one, so that the message is refused at no cost. */
const toEnvelope = (message: Record<string, unknown>): Record<string, unknown> => {
  const members = envelope.filter((name) => Object.hasOwn(message, name));
  const small = Object.fromEntries(members.map((name) => [name, message[name]]));
  for (const name in message) if (!envelope.includes(name)) return { ...small, '(other)': null };
  return small;
};

/** The payload that a stand-in carries; the value itself when it is none. */
export const readPayload = <T>(value: T): T | Record<string, unknown> => {
  const held = isRecord(value) ? value[KEY] : undefined;
  return held instanceof Held ? held.payload : value;
};

/** The message as it came, for the recording. */
export const readWhole = <T extends object>(message: T): T => {
  const name = 'method' in message ? 'params' : 'result';
  const payload = isRecord(message) ? message[name] : undefined;
  const whole = readPayload(payload);
  return whole === payload ? message : { ...message, [name]: whole };
};

/** Keeps the payloads of messages that pass through a transport which knows only text. */
export interface HeldTexts {
  /** The text of a message whose payload was replaced; a random name in it leads back to the payload. */
  write(message: Record<string, unknown>): string;
  /** Puts the payload back behind its stand-in. */
  restore<T>(message: T): T;
}

/** Creates the store of held payloads for one connection. */
export const createHeldTexts = (): HeldTexts => {
  const waiting = new Map<string, Held>();
  return {
    write: (message) =>
      JSON.stringify(message, (_key, value: unknown) => {
        if (!(value instanceof Held)) return value;
        const name = crypto.randomUUID();
        waiting.set(name, value);
        return name;
      }),
    restore(message) {
      if (waiting.size === 0 || !isRecord(message)) return message;
      for (const name of ['result', 'params']) {
        const payload = message[name];
        const held = isRecord(payload) ? waiting.get(String(payload[KEY])) : undefined;
        if (held === undefined || !isRecord(payload)) continue;
        waiting.delete(String(payload[KEY]));
        return { ...message, [name]: { ...payload, [KEY]: held } };
      }
      return message;
    },
  };
};

/** Numbers, short texts and the names of the rest. */
const toShort = (value: Record<string, unknown>, depth: number): Record<string, unknown> => {
  const short: [string, unknown][] = [];
  for (const key in value) {
    if (short.length >= MAX_MEMBERS) break;
    const member = value[key];
    if (Array.isArray(member)) short.push([key, []]);
    else if (isRecord(member)) short.push([key, depth > 1 ? toShort(member, depth - 1) : {}]);
    else if (typeof member !== 'string' || member.length <= MAX_TEXT) short.push([key, member]);
  }
  return Object.fromEntries(short);
};

import type { ShownValue } from '@casement/protocol';
import { isStackNative } from './code-place.js';
import { getOwnPropertyDescriptor, getPrototypeOf, ownKeys, readNow, slice, toPlain } from './natives.js';

// Values as a console shows them, made without running code of the guest: getters are named and not called, and nothing
// is turned into text by the value itself. A proxy of the guest cannot be told from an object, so its traps may run:
// number and time of what is read are bounded.

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Shown = Mutable<ShownValue>;

/** What is left for one line. */
export interface Room {
  nodes: number;
  characters: number;
  /** On the page's clock. */
  readonly until: number;
}

const MAX_DEPTH = 3;
const MAX_MEMBERS = 20;
const MAX_TEXT = 1000;

const readGetter = (owner: object, name: string): ((self: object) => unknown) => {
  const { get } = getOwnPropertyDescriptor(owner, name) ?? {};
  // Throws for what is no object of that kind.
  return get ? (toPlain(get) as (self: object) => unknown) : () => undefined;
};

const { min } = Math;
const { isArray } = Array;
const { isView } = ArrayBuffer;
const errorPrototype = Error.prototype;
const readLocalName = readGetter(Element.prototype, 'localName');
const readAttribute = toPlain(Element.prototype.getAttribute);
const readLength = readGetter(getPrototypeOf(Int8Array.prototype) ?? {}, 'length');
const toIso = toPlain(Date.prototype.toISOString);
const readSizes = [readGetter(Map.prototype, 'size'), readGetter(Set.prototype, 'size')];
const { get: stackGetter } = getOwnPropertyDescriptor(new Error(), 'stack') ?? {};

/** What a function gives, unless it throws. */
const attempt = (read: () => unknown): unknown => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

const cut = (text: string, room: Room): { text: string; more?: number } => {
  const length = min(text.length, MAX_TEXT, room.characters);
  room.characters -= length;
  return length < text.length ? { text: slice(text, 0, length), more: text.length - length } : { text };
};

/** A member that is a plain value; an accessor is not called. */
const readOwn = (value: object, key: PropertyKey): unknown => getOwnPropertyDescriptor(value, key)?.value;

const toKind = (value: object): string => {
  const maker = readOwn(getPrototypeOf(value) ?? {}, 'constructor');
  const name = typeof maker === 'function' && readOwn(maker, 'name');
  return typeof name === 'string' && name !== '' ? slice(name, 0, 100) : 'Object';
};

const isError = (value: object): boolean => {
  let at: object | null = value;
  for (let depth = 0; at && depth < 5; depth += 1)
    if ((at = getPrototypeOf(at)) === errorPrototype) return true;
  return false;
};

const toErrorText = (error: object): string => {
  const own = getOwnPropertyDescriptor(error, 'stack');
  if (isStackNative()) {
    const stack = own?.get ? own.get === stackGetter && toPlain(own.get)(error) : own?.value;
    if (typeof stack === 'string' && stack !== '') return stack;
  }
  const message = readOwn(error, 'message');
  return typeof message === 'string' && message !== '' ? `${toKind(error)}: ${message}` : toKind(error);
};

const toElementText = (element: Element, name: string): string => {
  const id = readAttribute(element, 'id');
  const classes = readAttribute(element, 'class');
  return `<${name}${id ? ` id="${id}"` : ''}${classes ? ` class="${classes}"` : ''}>`;
};

const addMembers = (
  shown: Shown,
  value: object,
  length: number | undefined,
  room: Room,
  depth: number,
): void => {
  const keys: readonly PropertyKey[] | undefined = length === undefined ? ownKeys(value) : undefined;
  const count = keys ? keys.length : (length ?? 0);
  const members: [string, ShownValue][] = [];
  let index = 0;
  for (; index < count && members.length < MAX_MEMBERS; index += 1) {
    if (depth >= MAX_DEPTH || room.nodes <= 0 || room.characters <= 0 || readNow() > room.until) break;
    const key = keys ? keys[index] : `${index}`;
    const descriptor = key === undefined ? undefined : getOwnPropertyDescriptor(value, key);
    if (!descriptor || (keys && !descriptor.enumerable)) continue;
    const { get, value: member } = descriptor;
    members[members.length] = [
      cut(String(key), room).text,
      get ? { type: 'getter', text: 'getter' } : toShown(member, room, depth + 1),
    ];
  }
  if (members.length > 0) shown.members = members;
  if (index < count) shown.more = count - index;
};

const toShownObject = (value: object, room: Room, depth: number): Shown => {
  const name = attempt(() => readLocalName(value));
  // The getter above takes elements alone.
  if (typeof name === 'string')
    return { type: 'element', ...cut(toElementText(value as Element, name), room) };
  if (isError(value)) return { type: 'error', ...cut(toErrorText(value), room) };
  const kind = toKind(value);
  if (isArray(value) || isView(value)) {
    const length = Number(isView(value) ? attempt(() => readLength(value)) : readOwn(value, 'length')) || 0;
    const shown: Shown = {
      type: 'array',
      text: kind === 'Array' ? `Array(${length})` : `${kind}(${length})`,
    };
    addMembers(shown, value, length, room, depth);
    return shown;
  }
  const date = attempt(() => toIso(value as Date));
  if (typeof date === 'string') return { type: 'object', text: date };
  const shown: Shown = { type: 'object', text: kind };
  for (let index = 0; index < readSizes.length; index += 1) {
    const size = attempt(() => readSizes[index]?.(value));
    if (typeof size === 'number') shown.text = `${kind}(${size})`;
  }
  addMembers(shown, value, undefined, room, depth);
  return shown;
};

/** A value as a console shows it. */
export const toShown = (value: unknown, room: Room, depth = 0): ShownValue => {
  room.nodes -= 1;
  if (value === null) return { type: 'null', text: 'null' };
  const type = typeof value;
  if (type === 'object')
    return (
      (attempt(() => toShownObject(value as object, room, depth)) as Shown | undefined) ?? {
        type,
        text: 'Object',
      }
    );
  if (type === 'function')
    return { type, text: cut(String(attempt(() => readOwn(value as object, 'name')) ?? ''), room).text };
  return { type, ...cut(String(value), room) };
};

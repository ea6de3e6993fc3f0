import { CasementError } from '../errors.js';
import { isRecord } from '../is-record.js';

/*
 * What reads unknown values (decision 14). A schema is a function: it gives what it has read, or throws at the first
 * place that does not fit. `path` leads to that place, with a dot before each step.
 */

/** Reads a value as a `T`, or throws a CasementError that says where and why it is none. */
export interface Schema<T = unknown> {
  (value: unknown, path?: string): T;
  /** An object may do without a key that has this schema. */
  readonly isDefault?: true;
}

/** What a schema gives. */
export type Infer<S> = S extends Schema<infer T> ? T : never;

type Shape = Readonly<Record<string, Schema>>;

/** The kept extra keys are left out of the type, so that a misspelt key is a type error. */
type ObjectOf<R extends Shape, O extends Shape> = {
  [K in keyof R]: Infer<R[K]>;
} & { [K in keyof O]?: Infer<O[K]> | undefined } extends infer T
  ? { -readonly [K in keyof T]: T[K] }
  : never;

const fail = (path: string, reason: string): never => {
  const place = path && `${path.slice(1)}: `;
  throw new CasementError('invalid-params', `${place}${reason}`.slice(0, 300));
};

const failType = (path: string, expected: string, value: unknown, what = 'type'): never =>
  fail(path, `Invalid ${what}: Expected ${expected} but received ${toReceived(value)}`);

/** The value itself if it is short to say, otherwise its class. */
const toReceived = (value: unknown): string => {
  if (typeof value === 'string') return `"${value}"`;
  if (Object(value) !== value) return String(value);
  // An object of whoever sent it: it may have no prototype, or one without a constructor.
  const prototype = Object.getPrototypeOf(value) as { constructor?: { name?: string } } | null;
  return prototype?.constructor?.name ?? 'null';
};

/** Whatever a test of ours takes. */
export const check =
  <T>(test: (value: unknown) => boolean, expected: string): Schema<T> =>
  (value, path = '') =>
    // The test has just said so.
    test(value) ? (value as T) : fail(path, `Expected ${expected}`);

const primitive =
  <T>(type: string): Schema<T> =>
  (value, path = '') =>
    // The type was tested; NaN is a number by name only.
    typeof value === type && !Number.isNaN(value) ? (value as T) : failType(path, type, value);

export const text = primitive<string>('string');
export const number = primitive<number>('number');
export const boolean = primitive<boolean>('boolean');

/** Anything at all. */
export const unknown: Schema = (value) => value;

/** One of a few values. */
export const oneOf = <const T extends string | number>(...options: readonly T[]): Schema<T> => {
  const names = options.map(toReceived).join(' | ');
  const expected = options.length > 1 ? `(${names})` : names;
  return (value, path = '') => options.find((option) => option === value) ?? failType(path, expected, value);
};

/** What the first of two schemas reads, else the second; `expected` says of both what they read. */
export const either =
  <A, B>(expected: string, first: Schema<A>, second: Schema<B>): Schema<A | B> =>
  (value, path) => {
    for (const schema of [first, second]) {
      try {
        return schema(value, path);
      } catch (error) {
        if (!(error instanceof CasementError)) throw error;
      }
    }
    return failType(path ?? '', expected, value);
  };

/** A value read, and then turned into another. */
export const to =
  <A, B>(schema: Schema<A>, change: (read: A) => B): Schema<B> =>
  (value, path) =>
    change(schema(value, path));

/** A key of an object that may be absent, and what it then holds. */
export const orElse = <A, B>(schema: Schema<A>, toDefault: () => B): Schema<A | B> =>
  Object.assign(
    (value: unknown, path?: string): A | B => (value === undefined ? toDefault() : schema(value, path)),
    { isDefault: true as const },
  );

/** An object with required keys and optional ones; its other keys survive. Arrays, Maps, Dates are no objects here. */
export const openObject = <R extends Shape, O extends Shape = Record<never, never>>(
  required: R,
  optional?: O,
): Schema<ObjectOf<R, O>> => {
  const shape: Shape = { ...required, ...optional };
  return (value, path = '') => {
    if (!isRecord(value)) return failType(path, 'Object', undefined);
    const read: Record<string, unknown> = {};
    for (const [key, schema] of Object.entries(shape)) {
      const at = `${path}.${key}`;
      const isRequired = key in required;
      if (key in value) {
        const member = value[key];
        read[key] = isRequired || member !== undefined ? schema(member, at) : member;
      } else if (schema.isDefault) read[key] = schema(undefined, at);
      else if (isRequired) failType(at, `"${key}"`, undefined, 'key');
    }
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(read, key) && !unsafeKeys.has(key)) read[key] = value[key];
    }
    // The loop above has read each key by its schema.
    return read as ObjectOf<R, O>;
  };
};

/** Keys that reach a prototype. */
const unsafeKeys: ReadonlySet<string> = new Set(['__proto__', 'prototype', 'constructor']);

/** An array of any length. */
export const array =
  <T>(item: Schema<T>): Schema<T[]> =>
  (value, path = '') =>
    Array.isArray(value)
      ? Array.from(value, (member: unknown, index) => item(member, `${path}.${index}`))
      : failType(path, 'Array', value);

/** More than anybody means; each item of a list costs far more to check than to send. */
const MAX_ITEMS = 1_000;

/** A list that is measured before its items are looked at. */
export const list = <T>(item: Schema<T>, most = MAX_ITEMS): Schema<T[]> => {
  const bounded = check((value) => Array.isArray(value) && value.length <= most, `a list of at most ${most}`);
  const items = array(item);
  return (value, path) => items(bounded(value, path), path);
};

/** A text that is neither empty nor longer than this. */
export const shortText =
  (most: number): Schema<string> =>
  (value, path = '') => {
    const read = text(value, path);
    const { length } = read;
    return length > 0 && length <= most
      ? read
      : failType(path, length > 0 ? `<=${most}` : '>=1', length, 'length');
  };

/** Any object, passed on as it is: keys such as `constructor` are data here and must not get lost. */
export const anyRecord = check<Record<string, unknown>>(isRecord, 'an object');

/** A number one can calculate with. */
export const finiteNumber = check<number>(Number.isFinite, 'a finite number');

/** A request id or progress token: a string or an integer. */
export const idOrToken = check<string | number>(
  (value) => typeof value === 'string' || Number.isSafeInteger(value),
  'a string or an integer',
);

/** Features outside the specification by identifier; official apps want an object for each. */
export const experimental = check<Record<string, object>>(
  (value) => isRecord(value) && Object.values(value).every(isRecord),
  'an object of objects',
);

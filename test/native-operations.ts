import { searchSteps } from './expressions/count-steps.js';

/*
 * What the engine does in its own code no coverage sees: searching a string, copying an array, parsing JSON. While
 * they are counted, the methods that do such work are replaced by ones that first do the same and then add the length
 * of what they may have touched. Strings share their text when they are cut (`slice`), so a cut costs one.
 */

type Charge = (self: unknown, parameters: unknown[], result: unknown) => number;

let steps = 0;
let charging = false;

const lengthOf = (value: unknown): number => {
  if (typeof value === 'string' || Array.isArray(value) || typeof value === 'function') return value.length;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return value.byteLength;
  if (typeof value === 'object' && value !== null && 'length' in value) return Number(value.length);
  return 1;
};

const whole: Charge = (self) => lengthOf(self);
const made: Charge = (_self, _parameters, result) => lengthOf(result);
const given: Charge = (_self, [first]) => lengthOf(first);
const both: Charge = (self, _parameters, result) => lengthOf(self) + lengthOf(result);
const one: Charge = () => 0;

/** A search stops where it finds; without a find it has seen the rest. */
const searched: Charge = (self, [needle, from], result) => {
  const length = lengthOf(self);
  const start = typeof from === 'number' ? Math.min(Math.max(from < 0 ? length + from : from, 0), length) : 0;
  const needed = typeof needle === 'string' ? needle.length : 0;
  return (typeof result === 'number' && result >= start ? result - start : length - start) + needed;
};

const found: Charge = (self, parameters, result) => {
  if (result === false || typeof self !== 'string') return searched(self, parameters, -1);
  return searched(self, parameters, self.indexOf(String(parameters[0]), Number(parameters[1] ?? 0)));
};

const sorted: Charge = (self) => lengthOf(self) * Math.max(1, Math.ceil(Math.log2(lengthOf(self) + 1)));

const stringCharges: Record<string, Charge> = {
  indexOf: searched,
  includes: found,
  lastIndexOf: whole,
  startsWith: given,
  endsWith: given,
  slice: one,
  substring: one,
  split: both,
  replace: both,
  replaceAll: both,
  match: one,
  matchAll: one,
  search: one,
  normalize: both,
  toLowerCase: whole,
  toUpperCase: whole,
  toLocaleLowerCase: whole,
  toLocaleUpperCase: whole,
  isWellFormed: whole,
  toWellFormed: whole,
  trim: (self, _parameters, result) => lengthOf(self) - lengthOf(result),
  trimStart: (self, _parameters, result) => lengthOf(self) - lengthOf(result),
  trimEnd: (self, _parameters, result) => lengthOf(self) - lengthOf(result),
  repeat: made,
  padStart: made,
  padEnd: made,
  concat: made,
  localeCompare: (self, [other]) => Math.min(lengthOf(self), lengthOf(other)),
};

const arrayCharges: Record<string, Charge> = {
  indexOf: searched,
  includes: whole,
  lastIndexOf: whole,
  slice: made,
  concat: made,
  join: both,
  push: (_self, parameters) => parameters.length,
  shift: whole,
  unshift: whole,
  splice: both,
  reverse: whole,
  fill: whole,
  copyWithin: whole,
  sort: sorted,
  toSorted: sorted,
  toReversed: whole,
  toSpliced: made,
  with: whole,
  flat: made,
  flatMap: both,
  map: whole,
  filter: whole,
  forEach: whole,
  reduce: whole,
  reduceRight: whole,
};

const bytesCharges: Record<string, Charge> = {
  set: given,
  slice: made,
  indexOf: searched,
  includes: whole,
  lastIndexOf: whole,
  fill: whole,
  copyWithin: whole,
  reverse: whole,
  sort: sorted,
  join: both,
};

const bufferCharges: Record<string, Charge> = {
  toString: made,
  indexOf: searched,
  includes: whole,
  lastIndexOf: whole,
  copy: (_self, _parameters, result) => Number(result),
  equals: whole,
  fill: whole,
  write: given,
};

/** Beyond this an expression counts as endless, and the test that counts it fails instead of waiting. */
const MAX_STEPS = 2e7;

/** An expression costs the steps of a matcher that goes back where the engine would. */
const matched: Charge = (self, [text]) =>
  searchSteps(self as RegExp, String(text), startOfMatch, MAX_STEPS).steps;

let startOfMatch = 0;

const iteratorOf = (values: Iterable<unknown>): object =>
  Object.getPrototypeOf(values[Symbol.iterator]()) as object;

const owners: [owner: object, charges: Record<string, Charge>][] = [
  [String.prototype, stringCharges],
  [String, { fromCharCode: made, fromCodePoint: made }],
  [Array.prototype, arrayCharges],
  [Array, { from: made }],
  [RegExp.prototype, { exec: matched }],
  [JSON, { parse: given, stringify: made }],
  [
    Object,
    {
      keys: made,
      values: made,
      entries: made,
      fromEntries: (_self, _parameters, result) => countKeys(result),
      getOwnPropertyNames: made,
      assign: (_self, parameters) => parameters.reduce<number>((sum, source) => sum + countKeys(source), 0),
    },
  ],
  [Object.getPrototypeOf(Uint8Array.prototype) as object, bytesCharges],
  [Buffer.prototype, bufferCharges],
  [Buffer, { concat: made, from: made, alloc: made, byteLength: given }],
  [TextDecoder.prototype, { decode: given }],
  [TextEncoder.prototype, { encode: made, encodeInto: given }],
  [
    globalThis,
    {
      encodeURIComponent: made,
      decodeURIComponent: given,
      encodeURI: made,
      decodeURI: given,
      atob: given,
      btoa: given,
      structuredClone: (_self, [value]) => lengthOf(JSON.stringify(value) ?? ''),
    },
  ],
  [URL, { canParse: given }],
  // One step each: `for … of`, spread, destructuring, `new Set(list)`.
  ...[[], '', new Map(), new Set()].map((values): [object, Record<string, Charge>] => [
    iteratorOf(values),
    { next: one },
  ]),
];

const countKeys = (value: unknown): number =>
  typeof value === 'object' && value !== null ? Reflect.ownKeys(value).length : 0;

const add = (charge: Charge, self: unknown, parameters: unknown[], result: unknown): void => {
  charging = true;
  steps += 1 + Math.max(0, charge(self, parameters, result));
  charging = false;
};

const isResumed = (expression: RegExp): boolean => expression.global || expression.sticky;

const replaceMethod = (owner: object, name: string, charge: Charge): (() => void) => {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  const original: unknown = before?.value;
  if (before === undefined || typeof original !== 'function') return () => undefined;
  const counted = function (this: unknown, ...parameters: unknown[]): unknown {
    if (charging) return Reflect.apply(original, this, parameters);
    // A match moves `lastIndex`, so where it began is read before.
    const start = charge === matched && isResumed(this as RegExp) ? (this as RegExp).lastIndex : 0;
    let result: unknown;
    try {
      result = Reflect.apply(original, this, parameters);
      return result;
    } finally {
      startOfMatch = start;
      add(charge, this, parameters, result);
    }
  };
  Object.defineProperty(owner, name, { ...before, value: counted });
  return () => Object.defineProperty(owner, name, before);
};

/** `new URL(text)` has no method to replace. */
const replaceUrl = (): (() => void) => {
  const original = globalThis.URL;
  globalThis.URL = new Proxy(original, {
    construct(target, parameters: unknown[], newTarget) {
      add(given, undefined, parameters, undefined);
      return Reflect.construct(target, parameters, newTarget) as object;
    },
  });
  return () => {
    globalThis.URL = original;
  };
};

/** Counts from now on what native methods do: `take` gives the number since the last call, `end` ends it. */
export const startNativeCount = (): { take(): number; end(): void } => {
  const undo = [
    replaceUrl(),
    ...owners.flatMap(([owner, charges]) =>
      Object.entries(charges).map(([name, charge]) => replaceMethod(owner, name, charge)),
    ),
  ];
  return {
    take() {
      const counted = steps;
      steps = 0;
      return counted;
    },
    end() {
      for (const restore of undo.reverse()) restore();
    },
  };
};

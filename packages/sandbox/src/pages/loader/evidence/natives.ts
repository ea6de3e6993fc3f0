// The browser's own functions, taken before guest code can replace them, and wrapped ones that cannot be told from them.

/** Makes a function that takes what was `this` as its first argument; it needs nothing that a guest can replace. */
export const toPlain = <T, A extends unknown[], R>(
  method: (this: T, ...args: A) => R,
): ((self: T, ...args: A) => R) => Function.prototype.call.bind(method) as (self: T, ...args: A) => R; // what bind makes of call has this type

const { apply, defineProperty } = Reflect;
export const { getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
export const readNow = performance.now.bind(performance);
export const slice = toPlain(String.prototype.slice);
export const indexOf = toPlain(String.prototype.indexOf);
export const lastIndexOf = toPlain(String.prototype.lastIndexOf);

/** What came of a call. */
export interface Call {
  readonly args: readonly unknown[];
  readonly result?: unknown;
  readonly error?: unknown;
  readonly hasThrown: boolean;
  /** The function that stands for the caller in a stack: what is above it is ours. */
  readonly marker: (...args: never[]) => unknown;
}

type Native = (...args: never[]) => unknown;

const natives = new WeakMap<object, Native>();
const getNative = natives.get.bind(natives);

/** While a report is made nothing is reported: what it looks at may be the guest's. */
let isReporting = false;

/** Runs what makes a report; whatever happens in it stays in it. */
export const reportQuietly = (make: () => void): void => {
  if (isReporting) return;
  isReporting = true;
  try {
    make();
  } catch {
    // What a guest replaced, or a stack that is full: the app goes on as it would without a report.
  }
  isReporting = false;
};

const wrapFunction = (native: Native, onCall: (call: Call) => void): Native => {
  const marker = (target: Native, self: unknown, args: unknown[]): unknown => {
    let result: unknown;
    try {
      result = apply(target, self, args);
    } catch (error) {
      reportQuietly(() => onCall({ args, error, hasThrown: true, marker }));
      throw error;
    }
    reportQuietly(() => onCall({ args, result, hasThrown: false, marker }));
    return result;
  };
  // A proxy has name, length, members and errors of its target, and is no constructor if that is none.
  const wrapped = new Proxy(native, { apply: marker });
  natives.set(wrapped, native);
  return wrapped;
};

/** Tells of every call of a method or accessor; everything else about it stays as it is. */
export const watchCalls = (owner: object | undefined, name: string, onCall: (call: Call) => void): void => {
  const descriptor = owner && getOwnPropertyDescriptor(owner, name);
  if (!owner || !descriptor?.configurable) return;
  for (const part of ['value', 'get', 'set'] as const)
    if (typeof descriptor[part] === 'function') descriptor[part] = wrapFunction(descriptor[part], onCall);
  defineProperty(owner, name, descriptor);
};

/** Lets a wrapped function say of itself what the browser's own says; the very function that says it included. */
export const hideWrapping = (): void => {
  const native = Function.prototype.toString;
  const wrapped = new Proxy(native, {
    apply: (target, self, args) => apply(target, getNative(self) ?? self, args),
  });
  natives.set(wrapped, native);
  // What is not named here stays as it is.
  defineProperty(Function.prototype, 'toString', { value: wrapped });
};

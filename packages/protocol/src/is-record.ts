/** True for a plain key-value object: not an array, Map, Date, Blob or null. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  Object.prototype.toString.call(value) === '[object Object]';

/** Reads an own property only, so that `constructor` or `__proto__` never answer from the prototype. */
export const readOwn = (value: unknown, key: string): unknown =>
  isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;

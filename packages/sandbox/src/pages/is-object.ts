/** A JSON-RPC object, its members still unknown. */
export type Message = Readonly<Record<string, unknown>>;

/**
 * Whether a value has keys to read: an object that is neither null nor a list. By `typeof` alone: the loaders share their
 * page with guest code, which can change what the built-in objects answer (`isRecord` of the protocol asks them).
 */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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

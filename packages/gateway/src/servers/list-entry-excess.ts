import { toPrintable } from '@casement/protocol/basics';
import { isRecord } from '@casement/protocol/start';

/** More than a form, a model or another host can do anything with; no honest entry comes near. */
const MAX_LEVELS = 128;
const MAX_CHARS = 1024 * 1024;
const MAX_VALUES = 100_000;

/** What is too much about one entry of a list, and what to do about it. */
interface Excess {
  readonly why: string;
  readonly fix: string;
}

/**
 * Looks for what would keep the whole list from being used: an entry nested too deep to be written down again, or far
 * too long. Reads no more of it than an entry may have, without recursion.
 */
export const findExcess = (item: unknown): Excess | undefined => {
  if (!isRecord(item)) return undefined;
  const left = { chars: MAX_CHARS, values: MAX_VALUES };
  for (const name in item) {
    left.chars -= name.length;
    const excess = measure(item[name], left);
    if (excess === undefined) continue;
    const shown = toPrintable(name, 60, { mode: 'replace' });
    return excess === 'levels'
      ? {
          why: `its ${shown} is nested more than ${MAX_LEVELS} levels deep`,
          fix: 'Describe it in fewer levels; a schema that repeats itself can use "$defs" and "$ref".',
        }
      : {
          why: `its ${shown} makes it longer than ${MAX_CHARS / 1024 / 1024} MB or ${MAX_VALUES} values`,
          fix: 'Shorten it: a list is read by people and models. Give large data as a resource.',
        };
  }
  return undefined;
};

const measure = (
  member: unknown,
  left: { chars: number; values: number },
): 'levels' | 'length' | undefined => {
  const open: { value: unknown; level: number }[] = [{ value: member, level: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, level } = next;
    left.values -= 1;
    if (typeof value === 'string') left.chars -= value.length;
    else if (typeof value === 'object' && value !== null) {
      if (level > MAX_LEVELS) return 'levels';
      // A list is asked for its length first: the pairs of millions of members would fill the memory.
      if (Array.isArray(value) && value.length > left.values) return 'length';
      // Parsed from JSON: every name is its own.
      for (const name in value) {
        left.chars -= name.length;
        open.push({ value: Reflect.get(value, name), level: level + 1 });
        if (open.length > left.values) return 'length';
      }
    }
    if (left.chars < 0 || left.values < 0) return 'length';
  }
  return undefined;
};

import { isRecord, toPrintable } from '@casement/protocol';

/**
 * A model reads what no reader sees: it gets every text as a reader does, with a sign where something was. Keys stay
 * what they are, they have to be found.
 */
export const toClean = <T>(value: T): T => {
  const clean = (part: unknown): unknown => {
    if (typeof part === 'string') return isPlain.test(part) ? part : toPrintable(part, Infinity, asRead);
    if (Array.isArray(part)) return part.map(clean);
    if (!isRecord(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, clean(inner)]));
  };
  // Only texts become others, so it is of the same type.
  return clean(value) as T;
};

const isPlain = /^[\n\t -~]*$/;
const asRead = { mode: 'replace', lines: 'keep' } as const;

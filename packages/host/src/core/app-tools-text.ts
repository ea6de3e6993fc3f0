import { CasementError, isRecord, toPrintable } from '@casement/protocol';

// Each costs far more than its letters; no tool means so many.
const maxCleaned = 20_000;
const hidden =
  /(?![\n\t])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Me}\u2000-\u200a\u2800\ufffc]|\p{Mn}{5}/u;
// In a long text runs are replaced as they are, joiners between emoji too: telling those apart takes far more time.
const longText = 10_000;
const hiddenRuns =
  /(?:(?![\n\t])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Me}\u2000-\u200a\u2800\ufffc])+|\p{Mn}{5,}/gu;
const asRead = { mode: 'replace', lines: 'keep' } as const;

/**
 * A model reads what no reader sees: it gets every text as a reader does, with a sign where something was. Keys stay
 * what they are, they have to be found. Changes the value itself, which came from an app and is nobody else's: a copy
 * of many small objects takes longer than reading the message did.
 */
export const toClean = <T>(value: T): T => {
  let cleaned = 0;
  const clean = (part: unknown): unknown => {
    if (typeof part === 'string') {
      if (!hidden.test(part)) return part;
      if (part.length > longText) return part.replace(hiddenRuns, '\ufffd');
      if ((cleaned += 1) > maxCleaned) throw toTooMany();
      return toPrintable(part, Infinity, asRead);
    }
    if (Array.isArray(part)) part.forEach((inner, index) => (part[index] = clean(inner)));
    else if (isRecord(part)) for (const key of Object.keys(part)) part[key] = clean(part[key]);
    return part;
  };
  // Only texts become others, so it is of the same type.
  return clean(value) as T;
};

const toTooMany = (): CasementError =>
  new CasementError('app-tool-invalid', 'Too many texts of the app’s tool hold characters nobody sees.', {
    hint: `Leave out control, format and other invisible characters; at most ${maxCleaned} texts may have any.`,
  });

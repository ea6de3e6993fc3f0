import { nextTask, toPrintable } from '../loaded/loaded.js';

const hidden =
  /(?![\n\t])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Me}\u2000-\u200a\u2800\ufffc]|\p{Mn}{5}/u;
const hiddenRuns =
  /(?:(?![\n\t])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Me}\u2000-\u200a\u2800\ufffc])+|\p{Mn}{5,}/gu;
// Of a long text runs are replaced as they are, joiners between emoji too: telling those apart takes far more time.
const longText = 8000;
// What is read before the page has a turn, in characters; each text costs as much as some of them.
const turnLength = 16_000;
const textCost = 40;

const asRead = { mode: 'replace', lines: 'keep' } as const;

/** A list or an object, which are read and written by key alike. */
type Holder = Record<string | number, unknown>;

/**
 * Replaces invisible characters in all texts of a value by a visible sign, because a model would read what no person
 * sees. Keys stay as they are, so that they can still be found. The value itself is changed: it came from an app and
 * nobody else uses it. The work is done in slices, because checking every character takes much longer than receiving
 * the message.
 */
export const cleanTexts = async <T extends object>(value: T): Promise<T> => {
  // Whatever JSON has nested is one of the two.
  const open = [value as Holder];
  let left = turnLength;
  for (let holder = open.pop(); holder; holder = open.pop()) {
    for (const key of Array.isArray(holder) ? holder.keys() : Object.keys(holder)) {
      const part = holder[key];
      if (typeof part === 'object' && part !== null) open.push(part as Holder);
      left -= typeof part === 'string' ? part.length + textCost : 1;
      if (left < 0) {
        left = turnLength;
        await nextTask();
      }
      if (typeof part !== 'string') continue;
      if (part.length > longText) holder[key] = await cleanLong(part);
      else if (hidden.test(part)) holder[key] = toPrintable(part, Infinity, asRead);
    }
  }
  return value;
};

const cleanLong = async (text: string): Promise<string> => {
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    const end = from + longText;
    // Not between the halves of one character.
    const to = /^[\udc00-\udfff]/.test(text.charAt(end)) ? end - 1 : end;
    pieces.push(text.slice(from, to).replace(hiddenRuns, '\ufffd'));
    from = to;
    await nextTask();
  }
  return pieces.join('');
};

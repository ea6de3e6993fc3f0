import { isRecord } from '@casement/protocol/start';

const maxSearched = 16_000;
const maxCounted = 2_000;

/** Keys and values as lower-case text, cut off so that one huge message costs no more than a long one. */
export const toSearchText = (value: unknown, limit = maxSearched): string => {
  const words: string[] = [];
  let left = limit;
  const add = (word: string): void => {
    const taken = word.slice(0, left);
    left -= taken.length + 1;
    words.push(taken);
  };
  const visit = (current: unknown): void => {
    if (left <= 0 || current === undefined) return;
    if (Array.isArray(current)) {
      for (const item of current) {
        if (left <= 0) return;
        visit(item);
      }
    } else if (isRecord(current)) {
      for (const key in current) {
        if (left <= 0) return;
        add(key);
        visit(current[key]);
      }
    } else add(String(current));
  };
  visit(value);
  return words.join(' ').toLowerCase();
};

/** What the recording left out of a long text; it says so at the end. */
const toLeftOut = (text: string): number =>
  Number(/\[… (\d{1,12}) characters left out\]$/.exec(text.slice(-48))?.[1] ?? 0);

const toTextSize = (text: string): number => {
  // Counting each character of a long text would cost more than the figure is worth.
  if (text.length > 4096) return text.length + 2 + toLeftOut(text);
  let size = text.length + 2;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff)) size += 2;
    else if (unit > 0x7f) size += 1;
    else if (unit === 0x22 || unit === 0x5c || unit < 0x20) size += 1;
  }
  return size;
};

/** About how many bytes a value has as JSON, without writing it; `isWhole` is false when it has more parts than are counted. */
export const toJsonSize = (value: unknown): { readonly bytes: number; readonly isWhole: boolean } => {
  let left = maxCounted;
  const visit = (current: unknown): number => {
    if (left-- <= 0) return 0;
    if (typeof current === 'string') return toTextSize(current);
    if (Array.isArray(current)) {
      let size = 1 + Math.max(1, current.length);
      for (const item of current) {
        if (left <= 0) break;
        size += visit(item);
      }
      return size;
    }
    if (!isRecord(current)) return String(current).length;
    let size = 1;
    for (const key in current) {
      if (left <= 0) break;
      size += toTextSize(key) + 2 + visit(current[key]);
    }
    return Math.max(2, size);
  };
  const bytes = visit(value);
  return { bytes, isWhole: left >= 0 };
};

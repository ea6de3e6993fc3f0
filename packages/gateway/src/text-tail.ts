import { StringDecoder } from 'node:string_decoder';
import { toPrintable } from '@casement/protocol';

/** Keeps the last lines of an endless text. */
export interface TextTail {
  push(chunk: Buffer): void;
  lines(): string[];
}

/** Creates a ring of printable lines; neither many lines nor one endless line can fill the memory (D20). */
export const createTextTail = ({ maxLines = 100, maxLineChars = 2000 } = {}): TextTail => {
  const decoder = new StringDecoder('utf8');
  const kept: string[] = [];
  let open = '';
  const keep = (line: string): void => {
    const text = toPrintable(line, maxLineChars, { mode: 'replace' });
    if (text.trim() === '') return;
    kept.push(text);
    if (kept.length > maxLines) kept.shift();
  };
  return {
    push(chunk) {
      const [first = '', ...rest] = decoder.write(chunk).split('\n');
      open = `${open}${first}`.slice(0, maxLineChars * 4);
      for (const next of rest) {
        keep(open);
        open = next.slice(0, maxLineChars * 4);
      }
    },
    lines() {
      const last = toPrintable(open, maxLineChars, { mode: 'replace' });
      return last.trim() === '' ? [...kept] : [...kept, last].slice(-maxLines);
    },
  };
};

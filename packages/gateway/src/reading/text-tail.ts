import { StringDecoder } from 'node:string_decoder';
import { toPrintable } from '@casement/protocol/basics';

/** Keeps the last lines of an endless text. */
export interface TextTail {
  push(chunk: Buffer): void;
  lines(): string[];
}

/** Creates a ring of printable lines; neither many lines nor one endless line can fill the memory (D20). */
export const createTextTail = ({ maxLines = 100, maxLineChars = 2000 } = {}): TextTail => {
  const decoder = new StringDecoder('utf8');
  let kept: string[] = [];
  let open = '';
  /** Keeps the last lines that are not blank; of a flood only the end is looked at. */
  const keep = (lines: readonly string[]): void => {
    const fresh: string[] = [];
    for (let at = lines.length - 1; at >= 0 && fresh.length < maxLines; at -= 1) {
      const line = lines[at] ?? '';
      const text = line === '' ? '' : toPrintable(line, maxLineChars, { mode: 'replace' });
      if (text.trim() !== '') fresh.push(text);
    }
    kept = [...kept, ...fresh.reverse()].slice(-maxLines);
  };
  return {
    push(chunk) {
      const [first = '', ...rest] = decoder.write(chunk).split('\n');
      const whole = `${open}${first}`.slice(0, maxLineChars * 4);
      open = (rest.at(-1) ?? whole).slice(0, maxLineChars * 4);
      if (rest.length > 0) keep([whole, ...rest.slice(0, -1)]);
    },
    lines() {
      const last = toPrintable(open, maxLineChars, { mode: 'replace' });
      return last.trim() === '' ? [...kept] : [...kept, last].slice(-maxLines);
    },
  };
};

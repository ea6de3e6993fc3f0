import type { ScriptPlace } from './examine-source.js';

/** A line of a stack: the file as the browser names it, and the place in it. */
export interface StackPlace extends ScriptPlace {
  readonly sourceFile: string;
}

const maxStack = 8_000;
const maxPlaces = 20;

/** The places in the text of an error's stack, the innermost first; Chromium, Firefox and WebKit write them differently. */
export const readStackPlaces = (stack: string): StackPlace[] => {
  const places: StackPlace[] = [];
  for (const line of stack.slice(0, maxStack).split('\n')) {
    if (places.length === maxPlaces) break;
    // Code that eval made has places of its own.
    if (/eval at |> (?:eval|Function)\b/.test(line)) continue;
    // "at name (file:1:2)", "at file:1:2", "name@file:1:2"
    const [, before = '', row, column] = /^(.*):(\d{1,9}):(\d{1,9})\)?\s*$/.exec(line) ?? [];
    if (row === undefined || column === undefined) continue;
    // What Firefox adds for a script of a document that is written.
    const written = before.indexOf(' line ');
    const named = written < 0 || !before.endsWith(' > injectedScript') ? before : before.slice(0, written);
    const begin = Math.max(named.lastIndexOf('('), named.lastIndexOf('@'), named.lastIndexOf(' ')) + 1;
    const sourceFile = named.slice(begin).split('?')[0] ?? '';
    if (sourceFile !== '') places.push({ sourceFile, line: Number(row), column: Number(column) });
  }
  return places;
};

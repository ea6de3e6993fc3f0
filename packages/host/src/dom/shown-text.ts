import { toPrintable } from '@casement/protocol/basics';

/** How much of a long text is shown before somebody asks for all of it. */
export const shownLength = 4_000;

const pieceLength = 4_096;
// A character that is not seen is written out with this many at most: nothing is ever left out for want of room.
const longestEscape = 10;

/**
 * Foreign text made printable, all of it, in pieces that a browser lays out one by one: a page stays usable with a text
 * of a megabyte in it. Put together they are the text.
 */
export const toTextPieces = (text: string): readonly string[] => {
  // Who writes the letters of such an escape means letters: their backslash is written out.
  const plain = text.replaceAll('\\u{', '\\u{5c}u{');
  const printable = toPrintable(plain, plain.length * longestEscape, { lines: 'keep' });
  const pieces: string[] = [];
  for (let start = 0; start < printable.length;) {
    const end = findEnd(printable, start + pieceLength);
    pieces.push(printable.slice(start, end));
    start = end;
  }
  return pieces;
};

/** At the end of a line where there is one near, and never between the two halves of a character. */
const findEnd = (text: string, end: number): number => {
  if (end >= text.length) return text.length;
  const line = text.slice(end, end + pieceLength).indexOf('\n');
  if (line !== -1) return end + line + 1;
  return /[\uDC00-\uDFFF]/.test(text.charAt(end)) ? end + 1 : end;
};

/** A place in a text; lines count from 1, columns from 0 in UTF-16 units. */
export interface TextPlace {
  readonly line: number;
  /** Left out where nobody said it. */
  readonly column?: number;
}

/** One line of a source as it is shown: cut around the place if it is long. */
export interface SourceLine {
  readonly number: number;
  readonly text: string;
  /** Whether something before or after the text is left out. */
  readonly isCut?: true;
  /** In the line of the place: where the place is in the text. */
  readonly mark?: number;
}

/** A place in a source, with the lines around it. */
export interface FoundSource {
  /** The file as the map, or the page, names it: a text, which nobody opens. */
  readonly file: string;
  readonly line: number;
  /** From 1. */
  readonly column?: number;
  /** Empty where the text of the source is not known. */
  readonly lines: readonly SourceLine[];
}

const linesAround = 3;
const maxWidth = 200;
const maxFile = 300;

/** Where a line of a script begins and ends, by what ends a line in JavaScript; undefined past the last. */
export const findLine = (
  text: string,
  line: number,
  from = 0,
): { start: number; end: number } | undefined => {
  const breaks = /\r\n|[\n\r\u2028\u2029]/g;
  breaks.lastIndex = from;
  let start = from;
  for (let number = 1; ; number += 1) {
    const found = breaks.exec(text);
    if (number === line) return { start, end: found?.index ?? text.length };
    if (found === null) return undefined;
    start = breaks.lastIndex;
  }
};

const toLine = (number: number, text: string, column: number | undefined): SourceLine => {
  if (text.length <= maxWidth) return { number, text, ...(column === undefined ? {} : { mark: column }) };
  const begin = Math.max(0, Math.min((column ?? 0) - maxWidth / 2, text.length - maxWidth));
  return {
    number,
    text: text.slice(begin, begin + maxWidth),
    isCut: true,
    ...(column === undefined ? {} : { mark: column - begin }),
  };
};

/** The lines around a place of a text; undefined if the text has no such place. */
const readLinesAround = (text: string, { line, column }: TextPlace): SourceLine[] | undefined => {
  const first = Math.max(1, line - linesAround);
  const top = findLine(text, first);
  if (top === undefined) return undefined;
  const lines: SourceLine[] = [];
  let hasPlace = false;
  let { start } = top;
  for (let number = first; number <= line + linesAround; number += 1) {
    const found = findLine(text, 1, start);
    if (found === undefined) break;
    const isPlace = number === line;
    const length = found.end - found.start;
    if (isPlace) hasPlace = column === undefined || column <= length;
    lines.push(toLine(number, text.slice(found.start, found.end), isPlace ? column : undefined));
    if (found.end >= text.length) break;
    start = found.end + (text.startsWith('\r\n', found.end) ? 2 : 1);
  }
  return hasPlace ? lines : undefined;
};

/** A place with what is around it; a column that the text does not have is left out. */
export const toFoundSource = (file: string, place: TextPlace, text: string | undefined): FoundSource => {
  const { line, column } = place;
  const lines = text === undefined ? undefined : readLinesAround(text, place);
  return {
    file: file.slice(0, maxFile),
    line,
    ...(column === undefined ? {} : { column: column + 1 }),
    lines: lines ?? [],
  };
};

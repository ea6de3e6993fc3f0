import { toPrintable } from '@casement/protocol/basics';

/** A block of a text, in the order it was written. */
export type TextBlock =
  | {
      readonly type: 'text';
      readonly text: string;
      /** Over a limit: shown as it was written, because to look for more in it would hold the page. */
      readonly isPlain: boolean;
    }
  | { readonly type: 'code'; readonly text: string; readonly language: string };

/** A piece of a line: words, or something to be read letter by letter. */
interface TextSpan {
  readonly type: 'text' | 'code';
  readonly text: string;
}

/** What is looked into of one text; longer than what people read at once. The rest is shown as it was written. */
export const textLimits = { block: 20_000, text: 100_000, blocks: 1000 } as const;

/** Blocks are handed out in groups of so many: those that are full are drawn once. */
const maxGroup = 50;

/** A longer line is read in pieces, and is neither blank nor the mark of a fence. */
const maxLine = 4000;

interface Fence {
  readonly mark: string;
  readonly language: string;
}

/** A block that takes more lines. */
interface OpenBlock {
  readonly text?: string;
  readonly fence?: Fence;
  readonly isAfterBlank?: boolean;
}

/** A line of at least three marks, and what language follows; read by hand, because expressions for it go back and forth. */
const readFence = (line: string): Fence | undefined => {
  const start = /^ {0,3}/.exec(line)?.[0].length ?? 0;
  const mark = /^(?:`{3,}|~{3,})/.exec(line.slice(start))?.[0];
  if (mark === undefined) return undefined;
  const language = line.slice(start + mark.length).trim();
  return language.includes('`') ? undefined : { mark, language };
};

const isEndOf = (fence: Fence, line: Fence | undefined): boolean =>
  line?.language === '' && line.mark.startsWith(fence.mark);

/** Whether a line after a blank one may belong to the list or quote before it. */
const isContinued = (line: string): boolean => /^(?:[ \t>]|(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$))/.test(line);

const addLine = ({ text, ...open }: OpenBlock, line: string): OpenBlock => ({
  ...open,
  text: text === undefined ? line : `${text}\n${line}`,
});

/** What a line does: the block that it ends, if any, and the one that is open after it. */
const takeLine = (
  open: OpenBlock | undefined,
  line: string,
  isWhole: boolean,
): readonly [ended: OpenBlock | undefined, open: OpenBlock | undefined] => {
  const fence = isWhole ? readFence(line) : undefined;
  if (open?.fence) return isEndOf(open.fence, fence) ? [open, undefined] : [undefined, addLine(open, line)];
  if (fence) return [open, { fence }];
  if (isWhole && line.trim() === '') return [undefined, open && { ...open, isAfterBlank: true }];
  if (open?.isAfterBlank !== true) return [undefined, addLine(open ?? {}, line)];
  return isContinued(line) ? [undefined, { text: `${open.text ?? ''}\n\n${line}` }] : [open, { text: line }];
};

/** A long line in pieces that depend on nothing that comes later, cut between words where there is room between words. */
const toPieces = (line: string): string[] => {
  const pieces: string[] = [];
  let rest = line;
  while (rest.length > maxLine) {
    const beginning = rest.slice(0, maxLine);
    const space = beginning.lastIndexOf(' ');
    // No cut between the two halves of a character.
    const end = space > 0 ? space : /[\ud800-\udbff]$/.test(beginning) ? maxLine - 1 : maxLine;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...pieces, rest];
};

/** Reads a text that grows: each call is given all of the text, and looks at what is new in it. */
type TextReader = (text: string) => readonly (readonly TextBlock[])[];

/**
 * Creates the reader of one text. It gives the blocks that can be drawn on their own: fenced code, and what stands between
 * blank lines, where a list or quote is one block; a fence that is still open takes the rest. They come in groups, and all
 * groups but the last stay the same objects, so that a long text is not gone through again for each word that is added.
 */
export const createTextReader = (): TextReader => {
  let taken = '';
  let full: (readonly TextBlock[])[] = [];
  let ended: TextBlock[] = [];
  let length = 0;
  let open: OpenBlock | undefined;
  let isInLine = false;

  const isLast = (): boolean => full.length * maxGroup + ended.length >= textLimits.blocks;

  const toBlock = ({ text = '', fence }: OpenBlock): TextBlock => {
    if (fence) return { type: 'code', text, language: fence.language };
    const isLong = text.length > textLimits.block || length + text.length > textLimits.text;
    return { type: 'text', text, isPlain: isLong || isLast() };
  };

  /** What a line does, or the first piece of one, or another piece of the same. The last block there may be takes all. */
  const read = (piece: string, isWhole: boolean): ReturnType<typeof takeLine> => {
    const shown = toPrintable(piece, Infinity, { lines: 'keep' });
    if (isInLine) return [undefined, { ...open, text: `${open?.text ?? ''}${shown}` }];
    return isLast() ? [undefined, addLine(open ?? {}, shown)] : takeLine(open, shown, isWhole);
  };

  const take = (piece: string, isWhole: boolean): void => {
    const [end, next] = read(piece, isWhole);
    if (end) {
      const block = toBlock(end);
      ended.push(block);
      if (block.type === 'text') length += block.text.length;
      if (ended.length === maxGroup) {
        full.push(ended);
        ended = [];
      }
    }
    open = next;
    isInLine = !isWhole;
  };

  return (text) => {
    // Another text. To compare costs as little as to add a word at its end, which makes a new string as well.
    if (text.slice(0, taken.length) !== taken)
      [taken, full, ended, length, open, isInLine] = ['', [], [], 0, undefined, false];
    const fresh = text.slice(taken.length);
    // A carriage return at the very end may be the first half of a line break.
    const isHalf = fresh.endsWith('\r');
    const lines = (isHalf ? fresh.slice(0, -1) : fresh).split(/\r\n|[\r\n]/);
    const begun = toPieces(lines.pop() ?? '');
    for (const line of lines) {
      const pieces = toPieces(line);
      for (const piece of pieces) take(piece, pieces.length === 1);
      isInLine = false;
    }
    for (const piece of begun.slice(0, -1)) take(piece, false);
    const last = begun.at(-1) ?? '';
    taken = text.slice(0, text.length - last.length - (isHalf ? 1 : 0));
    const [end, next] = last === '' ? [undefined, open] : read(last, true);
    return [...full, [...ended, ...[end, next].flatMap((block) => (block ? [toBlock(block)] : []))]];
  };
};

/** The words and the `inline code` of a text; a mark without its other half is a letter like any other. */
export const toTextSpans = (text: string): readonly TextSpan[] =>
  text.split(/(`[^`\n]+`)/).flatMap((piece, index): TextSpan[] => {
    if (piece === '') return [];
    return [index % 2 === 1 ? { type: 'code', text: piece.slice(1, -1) } : { type: 'text', text: piece }];
  });

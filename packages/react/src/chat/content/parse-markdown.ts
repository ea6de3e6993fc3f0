import MarkdownIt from 'markdown-it';
import type { StateBlock, StateInline, Token } from 'markdown-it';
import { toWebAddress } from './web-address.js';

/** What became of a text. */
interface ParsedText {
  /** Undefined for a text over a limit, which is shown as it was written. */
  readonly tokens: readonly Token[] | undefined;
  /** How many tokens were made, used or not. */
  readonly cost: number;
}

// Nobody writes lists in lists in lists this deep; every level is a level of the page.
const maxNesting = 20;
const maxColumns = 64;
/** A short table can ask for many cells, because rows are filled up: what is counted is what is made. */
const maxTokens = 10_000;

const overLimit = new Error('The text is over a limit.');

// Parsing is done in one go, so one count serves all texts.
let room = 0;
const count = (): void => {
  if (room <= 0) throw overLimit;
  room -= 1;
};

// A constant of its own, as the types of the parser do not know all of its options.
const settings = { html: false, linkify: false, breaks: false, maxNesting };
const parser = new MarkdownIt(settings);

// Definitions are words that nobody would see; they are text, and so are references to them.
parser.disable('reference');

// An address is shown and judged in the letters that it was written in.
parser.normalizeLink = (address) => address;
parser.normalizeLinkText = (address) => address;
parser.validateLink = (address) => toWebAddress(address) !== undefined;

parser.block.State = class extends parser.block.State {
  override push(...token: Parameters<StateBlock['push']>): Token {
    count();
    // Of what is nested deeper the parser leaves out words.
    if (this.level >= maxNesting - 1) throw overLimit;
    return super.push(...token);
  }
};

parser.inline.State = class extends parser.inline.State {
  override push(...token: Parameters<StateInline['push']>): Token {
    count();
    return super.push(...token);
  }
};

// The parser's own rules, as the rules below stand in their places.
const { block, inline } = new MarkdownIt('zero').enable(['table', 'entity']);
const [readTable] = block.ruler.getRules('');
const readEntity = inline.ruler.getRules('').at(-1);

// Its own expression for entities is tried on all of the rest of the text, from each `&` on.
parser.inline.ruler.at('entity', (state, isAsked) => {
  const near = state.src.slice(state.pos, state.pos + 40);
  return /^&(?:#x?[\da-f]{1,7}|[a-z][a-z\d]{1,31});/i.test(near) && readEntity?.(state, isAsked) === true;
});

const readLine = ({ src, bMarks, tShift, eMarks }: StateBlock, line: number): string =>
  src.slice((bMarks[line] ?? 0) + (tShift[line] ?? 0), eMarks[line]).trim();

const toCells = (line: string): string[] => {
  const cells = line.split(/(?<!\\)\|/);
  if (cells[0] === '') cells.shift();
  if (cells.at(-1) === '') cells.pop();
  return cells;
};

/** The parser drops the cells of a row that the head has no column for: they stay in the last one that there is. */
const keepCells = (state: StateBlock, first: number): void => {
  let row: Token[] = [];
  let cells: string[] = [];
  for (const token of state.tokens.slice(first)) {
    if (token.type === 'tr_open') [row, cells] = [[], toCells(readLine(state, token.map?.[0] ?? 0))];
    if (token.type === 'inline') row.push(token);
    const last = row.at(-1);
    if (token.type === 'tr_close' && last && cells.length > row.length)
      last.content = cells
        .slice(row.length - 1)
        .join('|')
        .replaceAll('\\|', '|')
        .trim();
  }
};

parser.block.ruler.at(
  'table',
  (state, start, end, isAsked) => {
    if (readTable?.(state, start, end, true) !== true) return false;
    if (isAsked) return true;
    if (toCells(readLine(state, start)).length > maxColumns) throw overLimit;
    const first = state.tokens.length;
    const isRead = readTable(state, start, end, false);
    keepCells(state, first);
    return isRead;
  },
  { alt: ['paragraph', 'reference'] },
);

/** Reads Markdown; makes no more than so many tokens. Work and tokens are in proportion to the text. */
export const parseMarkdown = (text: string, most: number = maxTokens): ParsedText => {
  const given = Math.min(most, maxTokens);
  room = given;
  try {
    const tokens = parser.parse(text, {});
    const isFlat = tokens.every(({ children }) => children?.every(({ level }) => level < maxNesting) ?? true);
    return { tokens: isFlat ? tokens : undefined, cost: given - room };
  } catch {
    // Whatever it is, words are shown and the page lives on.
    return { tokens: undefined, cost: given - room };
  }
};

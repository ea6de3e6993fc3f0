import { createScanner, type SyntaxKind } from 'jsonc-parser';

// The library's enums exist only as types; the types check these numbers.
const OPEN_BRACE: SyntaxKind.OpenBraceToken = 1;
const CLOSE_BRACE: SyntaxKind.CloseBraceToken = 2;
const OPEN_BRACKET: SyntaxKind.OpenBracketToken = 3;
const CLOSE_BRACKET: SyntaxKind.CloseBracketToken = 4;
const COMMA: SyntaxKind.CommaToken = 5;
const COLON: SyntaxKind.ColonToken = 6;
const STRING: SyntaxKind.StringLiteral = 10;
const UNKNOWN: SyntaxKind.Unknown = 16;
const END: SyntaxKind.EOF = 17;

const trivia: readonly SyntaxKind[] = [12, 13, 14, 15];

/** A server's name stands no deeper than this: `mcp`, `servers`, the name. */
const MAX_KEY_DEPTH = 3;

/** A place in a text, as people count. */
interface TextPlace {
  line: number;
  column: number;
}

/** Where things stand in a text of JSON with comments. */
export interface JsonPlaces {
  /** Where the text stops being JSON; undefined where all of it is. */
  fault: number | undefined;
  /** Where the member with this path of names begins. */
  find(...path: string[]): number | undefined;
}

/** What may come next: a comma at the end of a list or object is allowed, as in the settings of VS Code. */
type Expected = 'value' | 'first' | 'next' | 'colon' | 'comma' | 'nothing';

/** The line and column of a position. */
export const toTextPlace = (text: string, offset: number): TextPlace => {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
    start = at + 1;
  }
  return { line, column: offset - start + 1 };
};

/** Walks through a text once, without a stack of calls: it may be nested as deeply as it likes. */
export const readJsonPlaces = (text: string): JsonPlaces => {
  const scanner = createScanner(text.replace(/^\uFEFF/, ' '));
  const around: ('object' | 'list')[] = [];
  const path: string[] = [];
  const keys = new Map<string, number>();
  let expected: Expected = 'value';

  const endValue = (): Expected => (around.length === 0 ? 'nothing' : 'comma');

  /** Takes one token; undefined for one that cannot stand here. */
  const take = (kind: SyntaxKind): Expected | undefined => {
    const inside = around.at(-1);
    if (kind === UNKNOWN || scanner.getTokenError() !== 0) return undefined;
    if (kind === COMMA) return expected === 'comma' ? 'next' : undefined;
    if (kind === COLON) return expected === 'colon' ? 'value' : undefined;
    if (kind === CLOSE_BRACE || kind === CLOSE_BRACKET) {
      const closes = kind === CLOSE_BRACE ? 'object' : 'list';
      if (inside !== closes || expected === 'value' || expected === 'colon') return undefined;
      around.pop();
      path.length = Math.min(path.length, around.length);
      return endValue();
    }
    const takesKey = inside === 'object' && (expected === 'first' || expected === 'next');
    if (takesKey) {
      if (kind !== STRING) return undefined;
      path.length = around.length - 1;
      path.push(scanner.getTokenValue());
      if (path.length <= MAX_KEY_DEPTH) keys.set(JSON.stringify(path), scanner.getTokenOffset());
      return 'colon';
    }
    if (expected === 'comma' || expected === 'colon' || expected === 'nothing') return undefined;
    if (kind !== OPEN_BRACE && kind !== OPEN_BRACKET) return endValue();
    if (inside === 'list') path[around.length - 1] = '';
    around.push(kind === OPEN_BRACE ? 'object' : 'list');
    return 'first';
  };

  let fault: number | undefined;
  for (let kind = scanner.scan(); ; kind = scanner.scan()) {
    if (trivia.includes(kind) && scanner.getTokenError() === 0) continue;
    const next = kind === END ? undefined : take(kind);
    if (kind === END && expected === 'nothing') break;
    if (next === undefined) {
      fault = scanner.getTokenOffset();
      break;
    }
    expected = next;
  }
  return { fault, find: (...names) => keys.get(JSON.stringify(names)) };
};

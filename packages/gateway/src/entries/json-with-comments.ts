import { createScanner, type ScanError, type SyntaxKind } from 'jsonc-parser';

// The library's enums exist only as types; the types check these numbers.
const OPEN_BRACE: SyntaxKind.OpenBraceToken = 1;
const CLOSE_BRACE: SyntaxKind.CloseBraceToken = 2;
const OPEN_BRACKET: SyntaxKind.OpenBracketToken = 3;
const CLOSE_BRACKET: SyntaxKind.CloseBracketToken = 4;
const COMMA: SyntaxKind.CommaToken = 5;
const COLON: SyntaxKind.ColonToken = 6;
const LINE_COMMENT: SyntaxKind.LineCommentTrivia = 12;
const BLOCK_COMMENT: SyntaxKind.BlockCommentTrivia = 13;
const LINE_BREAK: SyntaxKind.LineBreakTrivia = 14;
const WHITE_SPACE: SyntaxKind.Trivia = 15;
const END: SyntaxKind.EOF = 17;
const OPEN_COMMENT: ScanError.UnexpectedEndOfComment = 1;

const comments: readonly SyntaxKind[] = [LINE_COMMENT, BLOCK_COMMENT];
const spaces: readonly SyntaxKind[] = [LINE_BREAK, WHITE_SPACE];
const closers: readonly SyntaxKind[] = [CLOSE_BRACE, CLOSE_BRACKET];
/** After these, or at the start, a comma has no entry before it. */
const withoutEntry: readonly (SyntaxKind | undefined)[] = [undefined, OPEN_BRACE, OPEN_BRACKET, COMMA, COLON];

/**
 * Reads JSON in the form VS Code writes its settings: comments, trailing commas and a byte order mark are allowed.
 * They become spaces, so that a position in an error is the position in the file. The scanner is VS Code's own; the
 * values are made by JSON.parse, which alone needs no stack for deep nesting and takes `__proto__` for a plain name.
 */
export const parseJsonWithComments = (text: string): unknown => {
  const source = text.replace(/^\uFEFF/, ' ');
  const scanner = createScanner(source);
  const parts: string[] = [];
  let last: SyntaxKind | undefined;
  let comma: number | undefined;
  for (let kind = scanner.scan(); kind !== END; kind = scanner.scan()) {
    const start = scanner.getTokenOffset();
    const part = source.slice(start, start + scanner.getTokenLength());
    // A comment without an end is for JSON.parse to refuse.
    const isComment = comments.includes(kind) && scanner.getTokenError() !== OPEN_COMMENT;
    parts.push(isComment ? part.replace(/[^\n\r]/g, ' ') : part);
    if (isComment || spaces.includes(kind)) continue;
    if (comma !== undefined && closers.includes(kind)) parts[comma] = ' ';
    comma = kind === COMMA && !withoutEntry.includes(last) ? parts.length - 1 : undefined;
    last = kind;
  }
  // Only its shape is JSON; what it says is checked by whoever reads it.
  return JSON.parse(parts.join('')) as unknown;
};

/*
 * Foreign text as a reader may see it (T18, E05, E09). What he cannot see, or what turns or covers the text around it,
 * is written out: a question must show what a model will read, and a terminal must not obey a server.
 *
 * The set: everything of \p{C} (controls, format and direction characters, tags, half surrogates; private use and
 * unassigned characters too, since fonts decide whether those show at all), line and paragraph separators, whatever
 * Unicode calls ignorable (fillers, variation selectors), blanks that look like nothing, and marks beyond four per letter.
 * Kept where they are of use: newlines and tabs by option, one variation selector after a character that takes one,
 * joiners between emoji or letters that join. A selector that carries an ASCII letter (from U+E0110) never is.
 */

/** How foreign text is made readable. */
export interface PrintableOptions {
  /** `escape` writes `\u{202e}` for a character that is not seen; `replace` writes U+FFFD and drops terminal sequences. */
  mode?: 'escape' | 'replace';
  /** `one` puts everything on one line; `keep` leaves line ends and tabs. */
  lines?: 'one' | 'keep';
  /** The words for what was left out; "… (12 more characters)" unless given. */
  rest?: (count: number) => string;
}

const maxMarks = 4;

const suspect = String.raw`[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Mn}\p{Me}\u1680\u2000-\u2008\u200a\u205f\u2800\ufffc\u{1d159}]`;
// No body runs past a control character, so no part of the text is read twice; without its end a sequence stays text.
const sequence = String.raw`(?:\x1b\[|\x9b)[0-?]*[ -\/]*[@-~]|(?:\x1b[\]PX\^_]|[\x90\x98\x9d-\x9f])\P{Cc}*(?:\x07|\x1b\\|\x9c)|\x1b[ -\/]*[0-~]`;
// Their letters alone: stops and digits that several scripts share join nothing.
const joining = String.raw`(?=[\p{L}\p{M}])[\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Mong}\p{scx=Adlm}\p{scx=Rohg}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Java}\p{scx=Bali}]`;

/** Makes the expressions for text that is not plain; their sets of characters take milliseconds to make. */
const createExpressions = () => ({
  escape: new RegExp(suspect, 'gu'),
  replace: new RegExp(`${sequence}|${suspect}`, 'gu'),
  hidden: /[\p{C}\p{Default_Ignorable_Code_Point}]/u,
  mark: /^[\p{Mn}\p{Me}]$/u,
  selected:
    /^(?:\p{Emoji}[\ufe0e\ufe0f]|\p{Unified_Ideograph}[\ufe00-\ufe02\u{e0100}-\u{e010f}]|\p{Script=Mongolian}[\u180b-\u180d\u180f])$/u,
  // A vowel killer takes a joiner at the end of a word, too.
  joined: new RegExp(
    String.raw`^(?![\u200c\u200d])(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]\u200d\p{Extended_Pictographic}|${joining}[\u200c\u200d]${joining}|[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca][\u200c\u200d])`,
    'u',
  ),
});

let expressions: ReturnType<typeof createExpressions> | undefined;

const isHalf = (text: string, index: number): boolean => /^[\udc00-\udfff]/.test(text.charAt(index));

const readFirst = (text: string, at: number): string => {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
};

const readLast = (text: string): string =>
  readFirst(text, text.length - (isHalf(text, text.length - 1) ? 2 : 1));

const toRest = (count: number): string => `… (${count} more character${count === 1 ? '' : 's'})`;

/**
 * Foreign text made fit to be read: what is not seen is written out, and of more than `max` characters the rest is
 * counted. Reads only as much of the text as it may show, once.
 */
export const toPrintable = (
  value: unknown,
  max = 200,
  { mode = 'escape', lines = 'one', rest = toRest }: PrintableOptions = {},
): string => {
  const whole =
    typeof value === 'string'
      ? value
      : `(${Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value})`;
  if (whole.length <= max && /^[ -~]*$/.test(whole)) return whole;
  const { hidden, mark, selected, joined, [mode]: pattern } = (expressions ??= createExpressions());
  // Terminal sequences take room and show nothing; beyond four times the room the text counts as left out.
  const length = max * 4;
  const text = whole.slice(0, length < whole.length && isHalf(whole, length) ? length - 1 : length);
  // Pieces are put together at the end: reading the last character of a growing string copies it each time.
  const pieces: string[] = [];
  let room = max;
  let last = '';
  let end = 0;
  let marks = 0;

  /** The text to write for a matched character or sequence. */
  const toPiece = (found: string): string => {
    if (found === '\n' || found === '\r' || found === '\t') {
      if (found === '\r' && text[end + 1] === '\n') return '';
      return lines === 'one' ? ' ' : found === '\t' ? found : '\n';
    }
    // eslint-disable-next-line no-control-regex -- a whole terminal sequence, not a lone control character
    if (mode === 'replace' && /^[\x1b\x80-\x9f]./u.test(found)) return '';
    const before = last;
    if (found === '\u200c' || found === '\u200d') {
      const after = readFirst(text, end + found.length);
      const stays = after === '' || !(hidden.test(after) || (marks >= maxMarks && mark.test(after)));
      if (stays && joined.test(before + found + after)) return found;
    } else if (hidden.test(found)) {
      if (selected.test(before + found) || /\p{Extended_Pictographic}/u.test(found)) return found;
    } else if (mark.test(found) && before !== '' && before !== '\n' && marks < maxMarks) {
      marks += 1;
      return found;
    }
    return mode === 'replace' ? '\ufffd' : `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`;
  };

  /** Shows a piece for the text up to there, if there is room. */
  const add = (piece: string, to: number): boolean => {
    if (piece.length > room) return false;
    if (piece !== '') {
      pieces.push(piece);
      last = readLast(piece);
    }
    room -= piece.length;
    end = to;
    return true;
  };

  const addPlain = (to: number): boolean => {
    if (to === end) return true;
    marks = 0;
    if (add(text.slice(end, to), to)) return true;
    const stop = end + room - (isHalf(text, end + room) ? 1 : 0);
    add(text.slice(end, stop), stop);
    return false;
  };

  let fits = true;
  for (const { 0: found, index } of text.matchAll(pattern)) {
    fits = addPlain(index) && add(toPiece(found), index + found.length);
    if (!fits) break;
  }
  if (fits) addPlain(text.length);
  if (end === whole.length) return pieces.join('');
  // A joiner at the end has lost what it joined.
  if (/^[\u200c\u200d]$/.test(last)) {
    pieces.pop();
    end -= 1;
  }
  return pieces.join('') + rest(whole.length - end);
};

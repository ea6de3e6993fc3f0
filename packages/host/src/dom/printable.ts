// Control characters and those that turn or hide text: bidi controls, zero-width characters, fillers, tags.
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

// Emoji and letters of some scripts need these between them; alone they turn nothing.
const joining = /[\u200c\u200d\p{Variation_Selector}]/u;

const toMark = (character: string): string => {
  if (character === '\n' || joining.test(character)) return character;
  if (character === '\t') return ' ';
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
};

/** Foreign text on one line: what would not be seen is written out, and what is too long is cut (E05, E09). */
export const toPrintableLine = (text: string, maxLength = 200): string =>
  toPrintableText(text.slice(0, maxLength * 2 + 1).replace(/\s*\n\s*/g, ' '), maxLength);

/** Foreign text with its lines: what would not be seen is written out, and what is too long is cut (E09). */
export const toPrintableText = (text: string, maxLength: number): string => {
  const shown = [...text.slice(0, maxLength * 2)].slice(0, maxLength).join('');
  const isCut = shown.length < text.length;
  return shown.replace(/\r\n?/g, '\n').replace(unseen, toMark) + (isCut ? '…' : '');
};

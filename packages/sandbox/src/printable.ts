const MAX_SHOWN = 200;

/** Shows any value as at most 200 visible characters: invisible and direction-changing ones become escapes. */
export const toPrintable = (value: unknown): string => {
  const text =
    typeof value === 'string'
      ? value.slice(0, MAX_SHOWN * 2)
      : `(${value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value})`;
  let shown = '';
  for (const character of text) {
    const visible = character === ' ' || !/[\p{C}\p{Z}]/u.test(character);
    const piece = visible ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
    if (shown.length + piece.length > MAX_SHOWN - 1) return `${shown}…`;
    shown += piece;
  }
  return shown;
};

const indexOf = (text: string, pattern: RegExp, from: number): number | undefined => {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index;
};

/** Where the string that begins at `start` ends, or the end of the text when it does not. */
const skipString = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
};

/** Where the comment that begins at `start` ends; undefined when there is none, or none that ends. */
const skipComment = (text: string, start: number): number | undefined => {
  if (text.startsWith('//', start)) {
    return indexOf(text, /[\n\r]/g, start) ?? text.length;
  }
  const end = text.startsWith('/*', start) ? text.indexOf('*/', start + 2) : -1;
  return end === -1 ? undefined : end + 2;
};

const blank = (text: string): string => text.replace(/[^\n\r]/g, ' ');

/** Replaces comments by spaces and keeps strings whole, so that what looks like a comment in one stays. */
const blankComments = (text: string): string => {
  let plain = '';
  for (let at = 0; at < text.length;) {
    const next = indexOf(text, /["/]/g, at);
    if (next === undefined) return plain + text.slice(at);
    plain += text.slice(at, next);
    at = next;
    const end = text[at] === '"' ? skipString(text, at) : skipComment(text, at);
    // A slash that begins no comment is for JSON.parse to refuse, and so is all after it.
    if (end === undefined) return plain + text.slice(at);
    plain += text[at] === '"' ? text.slice(at, end) : blank(text.slice(at, end));
    at = end;
  }
  return plain;
};

/** Replaces the comma after a last entry by a space. */
const blankLastCommas = (text: string): string => {
  const characters = text.split('');
  let comma: number | undefined;
  let before = '';
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    if (/\s/.test(character)) continue;
    if (comma !== undefined && (character === ']' || character === '}')) characters[comma] = ' ';
    // A comma with no entry before it is nobody's last.
    comma = character === ',' && !'[{,:'.includes(before) ? at : undefined;
    before = character;
    if (character === '"') at = skipString(text, at) - 1;
  }
  return characters.join('');
};

/**
 * Reads JSON in the form VS Code writes its settings: comments, trailing commas and a byte order mark are allowed.
 * They become spaces, so that a position in an error is the position in the file.
 */
export const parseJsonWithComments = (text: string): unknown => {
  const plain = blankLastCommas(blankComments(text.replace(/^\uFEFF/, ' ')));
  // Only its shape is JSON; what it says is checked by whoever reads it.
  return JSON.parse(plain) as unknown;
};

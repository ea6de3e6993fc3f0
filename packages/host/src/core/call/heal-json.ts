/** What can be read from JSON text that is not complete yet. */
export type Healed =
  | { readonly status: 'object'; readonly text: string; readonly value: Record<string, unknown> }
  /** Not even the first brace has come. */
  | { readonly status: 'nothing' }
  | { readonly status: 'malformed'; readonly at: number };

// JSON.parse has no such limit, but what reads the value afterwards may recurse.
const maxDepth = 128;

/** What may come next: in `first` a container may also end, in `next` a comma or the end must come. */
type Expected = 'first-key' | 'key' | 'colon' | 'first-value' | 'value' | 'next' | 'end';

/**
 * Closes what is open in the text of an object. Nothing is guessed: a key without its value, a number that may have
 * more digits and half a literal are left out; a string is shown as far as it came, without half an escape or half a
 * character. One pass, and JSON.parse reads the outcome, so what it refuses (and how it treats `__proto__`, as a
 * plain own key) is the engine's own rule.
 */
export const healJson = (text: string): Healed => {
  const open: ('}' | ']')[] = [];
  let expected: Expected = 'value';
  // Up to here the text stands as it is once the open containers are closed.
  let whole = 0;
  let tail = '';
  let at = 0;

  const settle = (): void => {
    whole = at;
    expected = open.length === 0 ? 'end' : 'next';
  };
  const isIn = (closer: '}' | ']'): boolean => open.at(-1) === closer;

  /** Reads one token and says whether it belongs where it stands. */
  const read = (character: string): boolean => {
    const takesValue = expected === 'value' || expected === 'first-value';
    switch (character) {
      case '{':
      case '[':
        if (!takesValue || open.length >= maxDepth || (open.length === 0 && character === '[')) return false;
        open.push(character === '{' ? '}' : ']');
        whole = at += 1;
        expected = character === '{' ? 'first-key' : 'first-value';
        return true;
      case '}':
      case ']':
        if (!isIn(character)) return false;
        if (expected !== 'next' && expected !== (character === '}' ? 'first-key' : 'first-value'))
          return false;
        open.pop();
        at += 1;
        settle();
        return true;
      case ',':
        if (expected !== 'next') return false;
        at += 1;
        expected = isIn('}') ? 'key' : 'value';
        return true;
      case ':':
        if (expected !== 'colon') return false;
        at += 1;
        expected = 'value';
        return true;
      case '"':
        return readString(takesValue);
      default:
        return takesValue && open.length > 0 && readScalar();
    }
  };

  const readString = (isValue: boolean): boolean => {
    if (!isValue && expected !== 'key' && expected !== 'first-key') return false;
    if (open.length === 0) return false;
    const end = findStringEnd(text, at + 1);
    if (end < 0) {
      if (isValue) {
        tail = `${text.slice(at, toWholeCharacters(text, at + 1))}"`;
        whole = at;
      }
      at = text.length;
      return true;
    }
    at = end + 1;
    if (isValue) settle();
    else expected = 'colon';
    return true;
  };

  const readScalar = (): boolean => {
    scalar.lastIndex = at;
    const token = scalar.exec(text)?.[0] ?? '';
    const isLast = at + token.length === text.length;
    const isLiteral = literals.includes(token);
    if (!isLiteral && !number.test(token) && !(isLast && isHalfLiteral(token))) return false;
    at += token.length;
    // At the end of the text a number may go on; a literal that is complete cannot.
    if (isLiteral || !isLast) settle();
    return true;
  };

  while (at < text.length) {
    const character = text.charAt(at);
    if (' \n\r\t'.includes(character)) at += 1;
    else if (!read(character)) return { status: 'malformed', at };
  }
  if (whole === 0) return { status: 'nothing' };
  const healed = `${text.slice(0, whole)}${tail}${open.reverse().join('')}`;
  try {
    // The first token was a brace, so what parses is an object.
    return { status: 'object', text: healed, value: JSON.parse(healed) as Record<string, unknown> };
  } catch {
    // Numbers such as 01, control characters in strings: what the scan lets pass the engine does not.
    return { status: 'malformed', at: whole };
  }
};

const literals = ['true', 'false', 'null'];
const scalar = /[-+.\w]*/y;
const number = /^-?\d[-+.\deE]*$|^-$/;

const isHalfLiteral = (token: string): boolean =>
  token !== '' && literals.some((literal) => literal.startsWith(token));

/** The closing quote of a string that began before `from`, or -1. */
const findStringEnd = (text: string, from: number): number => {
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 1)) {
    if (isUnescaped(text, from, end)) return end;
  }
  return -1;
};

/** How much of an open string is whole: half an escape, and the first half of a pair of them, wait for the rest. */
const toWholeCharacters = (text: string, from: number): number => {
  let end = text.length;
  const escape = /\\(?:u[\da-fA-F]{0,3})?$/.exec(text.slice(Math.max(from, end - 6)));
  if (escape && isUnescaped(text, from, end - escape[0].length)) end -= escape[0].length;
  const half = /\\u[dD][89abAB][\da-fA-F]{2}$/.exec(text.slice(Math.max(from, end - 6), end));
  if (half && isUnescaped(text, from, end - 6)) end -= 6;
  const last = text.charCodeAt(end - 1);
  return end > from && last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
};

/** Whether the character at `index` is none that a backslash before it escapes. */
const isUnescaped = (text: string, from: number, index: number): boolean => {
  let slashes = 0;
  while (index - slashes > from && text.charAt(index - slashes - 1) === '\\') slashes += 1;
  return slashes % 2 === 0;
};

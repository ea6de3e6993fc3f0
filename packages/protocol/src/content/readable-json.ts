/** How many times longer than its plain JSON an indented text may be. */
const MAX_GROWTH = 4;
const SMALL = 16 * 1024;

/**
 * A value as JSON for people to read, throwing where JSON does. Indented, unless the value nests so deep that the
 * indentation would outgrow it: that grows with the square of the depth, and who wrote the value chooses the depth.
 */
export const toReadableJson = (value: unknown): string => {
  const plain = JSON.stringify(value);
  // JSON of nothing, and of functions, is undefined.
  if (plain === undefined) return String(value);
  const room = Math.max(SMALL, plain.length * (MAX_GROWTH - 1));
  return toIndentation(plain, room) <= room ? JSON.stringify(value, undefined, 2) : plain;
};

/** How many characters indentation by two adds to a JSON text; stops counting past `most`. */
const toIndentation = (json: string, most: number): number => {
  let depth = 0;
  let added = 0;
  for (let at = 0; at < json.length && added <= most; at++) {
    switch (json[at]) {
      case '"':
        at = toStringEnd(json, at);
        break;
      case '[':
      case '{':
        depth++;
        added += 1 + 2 * depth;
        break;
      case ']':
      case '}':
        depth--;
        added += 1 + 2 * depth;
        break;
      case ',':
        added += 1 + 2 * depth;
        break;
      case ':':
        added++;
    }
  }
  return added;
};

/** Where the string ends that begins at a quotation mark. */
const toStringEnd = (json: string, start: number): number => {
  let end = json.indexOf('"', start + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end;
};

const isEscaped = (json: string, at: number): boolean => {
  let first = at;
  while (json[first - 1] === '\\') first--;
  return (at - first) % 2 === 1;
};

import { endingByType, isHarmlessEnding } from './file-endings.js';

const maxBytes = 200;
const maxLength = 1024;
const fallback = 'download';

// Names Windows takes for devices, with any ending.
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³]) ?(?:\.|$)/i;

/**
 * The name of an embedded resource as a file: the last segment of its URI (HOST-085), harmless (HOST-086, E12). It is
 * cut before anything else is done with it, and judged as it will be saved. An ending that is not known to be
 * harmless is followed by `.txt`; a name that has none gets that of its type, as browsers do by a list of their own.
 */
export const toSafeFileName = (uri: string, mimeType = ''): string => {
  const plain = toPlainName(toSegment(uri));
  const dot = plain.lastIndexOf('.');
  const isHarmless = dot > 0 && isHarmlessEnding(plain.slice(dot + 1));
  const before = isHarmless ? trim(plain.slice(0, dot)) : plain;
  // An archive's two endings belong together.
  const archive = isHarmless && /.\.tar$/i.test(before) ? before.slice(-4) : '';
  const own = isHarmless ? archive + plain.slice(dot) : dot > 0 ? '.txt' : undefined;
  const ending = own ?? toEnding(mimeType);
  const stem = trim(before.slice(0, before.length - archive.length)) || fallback;
  const named = device.test(`${stem}${ending}`) ? `_${stem}` : stem;
  return `${shorten(named, maxBytes - ending.length)}${ending}`;
};

const toEnding = (mimeType: string): string => {
  const ending = endingByType.get(mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? '');
  return ending === undefined ? '' : `.${ending}`;
};

/** The last part of the address, decoded once, as its author wrote it; what is no encoding stays as it is. */
const toSegment = (uri: string): string => {
  const end = uri.search(/[?#]/);
  const path = (end < 0 ? uri : uri.slice(0, end)).replace(/^[a-z][a-z0-9+.-]{0,100}:/i, '');
  const segment = toBounded(toLastPart(path));
  try {
    return toLastPart(decodeURIComponent(segment));
  } catch {
    return segment;
  }
};

const toLastPart = (path: string): string => path.split(/[/\\]/).findLast((part) => part !== '') ?? '';

/** Beginning and end of what is longer than any name: the end decides what a file is. */
const toBounded = (text: string): string =>
  text.length <= 4 * maxLength ? text : text.slice(0, 2 * maxLength) + text.slice(-2 * maxLength);

const toPlainName = (segment: string): string =>
  trim(
    segment
      // Control, format (bidi, zero width), private and unassigned characters, and blank ones: none can be seen.
      .replace(/[\p{C}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu, '')
      .replace(/[<>:"|?*#/\\]|%(?=[\da-f]{2})/gi, '_')
      .replace(/\s+/g, ' ')
      .normalize('NFC'),
  );

/** Neither hidden nor with an end that Windows would cut off. By hand: an expression would try at every dot. */
const trim = (name: string): string => {
  const isEdge = (index: number): boolean => name[index] === '.' || name[index] === ' ';
  let start = 0;
  let end = name.length;
  while (start < end && isEdge(start)) start += 1;
  while (end > start && isEdge(end - 1)) end -= 1;
  return name.slice(start, end);
};

/** The longest beginning that has room. */
const shorten = (stem: string, room: number): string => {
  const encoder = new TextEncoder();
  let left = room;
  let kept = '';
  for (const character of stem) {
    left -= encoder.encode(character).length;
    if (left < 0) break;
    kept += character;
  }
  return trim(kept);
};

import { REDACTED } from './secret-names.js';

/**
 * Finds secrets in text by what stands around them and by their shape. Guests and servers choose the text, so each
 * search reads a character a fixed number of times, whatever stands there: a search begins at a fixed word or sign,
 * and the runs of characters it reads on from there do not overlap, or are read once and remembered.
 */

type Span = readonly [start: number, end: number];

/** Runs of characters, each read from where `skip` says; an engine reads them far faster than a loop of ours would. */
const authority = /[^\s/?#"'<>]*/y;
const value = /[^\s&#"'<>]*/y;
const encoded = /[\w.~+/=-]*/y;
const dashed = /[\w-]*/y;
const word = /\w*/y;
const capitals = /[A-Z0-9]*/y;

/** Where a run ends that begins here. */
const skip = (text: string, from: number, run: RegExp): number => {
  run.lastIndex = from;
  run.test(text);
  return run.lastIndex;
};

const toTable = (members: string): Uint8Array => {
  const table = new Uint8Array(128);
  for (const member of members) table[member.charCodeAt(0)] = 1;
  return table;
};
const lettersAndDigits = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const schemes = toTable(`${lettersAndDigits}+.-`);
const names = toTable(`${lettersAndDigits}_.~-`);
const introducers = toTable('?&#;');

const has = (table: Uint8Array, text: string, at: number): boolean => table[text.charCodeAt(at)] === 1;

/** Each place where one of a few fixed words ends, with the word; the expression has the flag g and no loop. */
const findWords = (text: string, words: RegExp): (readonly [end: number, word: string])[] => {
  const found: (readonly [number, string])[] = [];
  words.lastIndex = 0;
  for (let match = words.exec(text); match; match = words.exec(text)) found.push([words.lastIndex, match[0]]);
  return found;
};

/** `scheme://user:password@`; the last @ counts, as it does for a browser. */
const findUserinfo = (text: string, isCut: boolean): Span[] => {
  const spans: Span[] = [];
  let next: number;
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', next)) {
    const start = at + 3;
    // It ends at the next slash at the latest, so no two of them overlap.
    const stop = skip(text, start, authority);
    const end = isCut && stop === text.length ? stop : start + text.slice(start, stop).lastIndexOf('@');
    if (end > start && has(schemes, text, at - 1)) spans.push([start, end]);
    // The colon before that slash may belong to the next address.
    next = Math.max(start, stop - 1);
  }
  return spans;
};

const secretName =
  /(?:token|secret|password|passwd|passphrase|api[-_]?key|signature|credentials?)$|(?:^|[-_.])(?:key|sig|auth|code)$/i;

const dash = 45;

/** `?token=…`, `&api_key=…`, `#code=…`, `--password=…`. */
const findAssignments = (text: string): Span[] => {
  const spans: Span[] = [];
  let read = 0;
  for (let at = text.indexOf('='); at >= 0; at = text.indexOf('=', read)) {
    let start = at;
    let isFlag = false;
    // Back to the last sign that was read at most, so no two names overlap.
    while (start > read && has(names, text, start - 1)) {
      start--;
      isFlag ||= text.charCodeAt(start) === dash && text.charCodeAt(start + 1) === dash;
    }
    read = at + 1;
    if (!isFlag && (start === 0 || !has(introducers, text, start - 1))) continue;
    // Longer than any name that counts, and short enough to be tested each time.
    if (!secretName.test(text.slice(Math.max(start, at - 64), at))) continue;
    read = skip(text, at + 1, value);
    if (read > at + 1) spans.push([at + 1, read]);
  }
  return spans;
};

const authorizing = /\b(?:[Bb]earer|[Bb]asic|BEARER|BASIC)\s{1,4}/g;
/** No ordinary word: it has a digit, a sign or an inner capital. */
const looksEncoded = /[\d.+/=]|[\w~-][A-Z]/;

/** `Bearer …` and `Basic …`. */
const findAuthorizations = (text: string, isCut: boolean): Span[] => {
  const spans: Span[] = [];
  for (const [start] of findWords(text, authorizing)) {
    // A run begins after a space and has none, so no two of them overlap.
    const end = skip(text, start, encoded);
    const isWhole = end - start >= 6 && looksEncoded.test(text.slice(start, end));
    if (isWhole || (isCut && end === text.length && end > start)) spans.push([start, end]);
  }
  return spans;
};

const tokenStart = /\b(?:eyJ|[spr]k[-_]|gh[pousr]_|github_pat_|xox[a-z]-|AKIA)/g;

/** What follows a token's first letters, and how much of it at least. */
const toTokenShape = (start: string): readonly [run: RegExp, length: number] => {
  if (start === 'eyJ') return [dashed, 6];
  if (start === 'AKIA') return [capitals, 12];
  if (start.startsWith('xox')) return [dashed, 10];
  return start.startsWith('g') ? [word, 20] : [dashed, 16];
};

/** Tokens known by their shape: JSON web tokens and the keys of some providers. */
const findTokens = (text: string, isCut: boolean): Span[] => {
  const spans: Span[] = [];
  let dashedEnd = 0;
  let web = { headEnd: -1, end: -1 };
  const isOpen = (at: number): boolean => isCut && at === text.length;

  const readWebToken = (headEnd: number): number => {
    if (isOpen(headEnd)) return headEnd;
    if (text[headEnd] !== '.') return -1;
    const bodyEnd = skip(text, headEnd + 1, dashed);
    if (isOpen(bodyEnd)) return bodyEnd;
    return bodyEnd - headEnd > 6 && text[bodyEnd] === '.' ? skip(text, bodyEnd + 1, dashed) : -1;
  };
  const findEnd = (from: number, start: string): number => {
    const [run, length] = toTokenShape(start);
    // Many tokens can begin within one run that has dashes; what follows the run is the same for all of them.
    const end = run === dashed && from < dashedEnd ? dashedEnd : skip(text, from, run);
    if (run === dashed) dashedEnd = end;
    if (end - from < length && !isOpen(end)) return -1;
    // With what is glued to it, which may be another one.
    if (start !== 'eyJ') return skip(text, end, dashed);
    if (web.headEnd !== end) web = { headEnd: end, end: readWebToken(end) };
    return web.end;
  };

  let read = 0;
  for (const [from, start] of findWords(text, tokenStart)) {
    const at = from - start.length;
    const end = at < read ? -1 : findEnd(from, start);
    if (end < 0) continue;
    spans.push([at, end]);
    read = end;
  }
  return spans;
};

const replaceSpans = (text: string, spans: readonly Span[]): string => {
  if (spans.length === 0) return text;
  const pieces: string[] = [];
  let read = 0;
  for (const [start, end] of spans) {
    pieces.push(text.slice(read, start), REDACTED);
    read = end;
  }
  pieces.push(text.slice(read));
  return pieces.join('');
};

/** Every secret contains one of these. Most texts contain none, so one search is all they cost. */
const traces = /:\/\/|=|[Bb]earer|[Bb]asic|BEARER|BASIC|eyJ|[spr]k[-_]|gh[pousr]_|_pat_|xox[a-z]-|AKIA/;

/**
 * The text without its secrets. Of a text that was cut the end may be the beginning of a secret: what could go on as
 * one is taken for one.
 */
export const hideSecrets = (text: string, isCut = false): string => {
  if (text.length < 6 && !isCut) return text;
  if (!traces.test(text)) return text;
  let clean = text;
  if (clean.includes('://')) clean = replaceSpans(clean, findUserinfo(clean, isCut));
  if (clean.includes('=')) clean = replaceSpans(clean, findAssignments(clean));
  clean = replaceSpans(clean, findAuthorizations(clean, isCut));
  return replaceSpans(clean, findTokens(clean, isCut));
};

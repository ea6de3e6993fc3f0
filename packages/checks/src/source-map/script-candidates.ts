// Which inline script a place is in. A browser does not say, and counts in one of three ways: from the beginning of the
// script element while the document is written at once, as the sandbox does; Firefox then from the line of the writing
// script; and from the top of the HTML once the parser had to wait. So each script is tried, by all of them unless one is
// known, and the code at the place has to fit the error.
import { createPlaceCounter, walkStartTags } from '../html/start-tags.js';
import { findLine, type TextPlace } from './lines.js';
import { readMapAddress, readOwnName } from './map-address.js';

/** From where a place counts: its script, or, in Firefox, the script that wrote the document. */
export type Counting = 'script' | 'writer';

/** An inline script that a place can be in. */
export interface ScriptCandidate {
  readonly script: string;
  /** The place in the script. */
  readonly place: TextPlace;
  /** Where the script begins in the document, from 1 and from 0. */
  readonly begins: { readonly line: number; readonly column: number };
  readonly mapAddress: string | undefined;
}

/** A script element with code in it, by its place in the HTML. */
interface InlineScript {
  readonly start: number;
  readonly end: number;
  /** Where the code begins in the document, from 1 and from 0. */
  readonly line: number;
  readonly column: number;
}

const maxScripts = 1_000;

const isCodeType = (type = ''): boolean =>
  /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script|text\/babel)$/.test(
    type.slice(0, 60).trim().toLowerCase(),
  );

/** The inline scripts of a document in their order. */
const listInlineScripts = (html: string): InlineScript[] => {
  const scripts: InlineScript[] = [];
  const placeOf = createPlaceCounter(html);
  for (const { name, end: start, attributes, textEnd: end } of walkStartTags(html)) {
    if (name !== 'script' || end === start) continue;
    if (attributes.has('src') || !isCodeType(attributes.get('type'))) continue;
    if (scripts.push({ start, end, ...placeOf(start) }) === maxScripts) break;
  }
  return scripts;
};

const isIn = (text: string, { line, column = 0 }: TextPlace): boolean => {
  const found = line < 1 || column < 0 ? undefined : findLine(text, line);
  return found !== undefined && found.start + column <= found.end;
};

const maxWords = 20;

/** How well the code at a place fits an error: where it throws, or at a name that its message says. */
const rateFit = (script: string, { line, column }: TextPlace, message: string): number => {
  const start = findLine(script, line)?.start;
  if (column === undefined || start === undefined) return 0;
  const at = start + column;
  const name = /^(?:new )?([\w$]+)/.exec(script.slice(at, at + 60))?.[1];
  const isStart = !/[\w$]/.test(script.charAt(at - 1));
  if (name === undefined || !isStart) return 0;
  const words = message.slice(0, 500).match(/[\w$]{2,}/g) ?? [];
  return name === 'throw' || words.slice(0, maxWords).includes(name) ? 2 : 1;
};

/**
 * The script that a place of a document is most likely in; `isGuess` where another one would do as well. `name` is
 * what the script calls itself, if the place is not of the document's name.
 */
export const findScript = (
  html: string,
  place: TextPlace,
  { message, name, counting }: { message: string; name?: string; counting?: Counting },
): (ScriptCandidate & { readonly isGuess: boolean }) | undefined => {
  const candidates: { fit: number; candidate: ScriptCandidate }[] = [];
  for (const { start, end, line, column } of listInlineScripts(html)) {
    const script = html.slice(start, end);
    if (name !== undefined && readOwnName(script) !== name) continue;
    const inDocument = {
      line: place.line - line + 1,
      ...(place.column === undefined ? {} : { column: place.column - (place.line === line ? column : 0) }),
    };
    // Columns are the script's own.
    const fromWriter = { ...place, line: place.line - line };
    const known = counting && { script: place, writer: fromWriter }[counting];
    for (const own of known ? [known] : [place, inDocument, fromWriter])
      if (isIn(script, own))
        candidates.push({
          fit: rateFit(script, own, message),
          candidate: { script, place: own, begins: { line, column }, mapAddress: undefined },
        });
  }
  const best = Math.max(...candidates.map(({ fit }) => fit));
  const likely = candidates.filter(({ fit }) => fit === best).map(({ candidate }) => candidate);
  // Of equals the longest: the app, not the line that sets its colours.
  const [chosen] = likely.sort((one, other) => other.script.length - one.script.length);
  return chosen && { ...chosen, mapAddress: readMapAddress(chosen.script), isGuess: likely.length > 1 };
};

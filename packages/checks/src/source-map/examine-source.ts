import type { SourceMapBudget } from './budget.js';
import { defaultBudget } from './budget.js';
import { findOriginal } from './find-original.js';
import type { FoundSource, TextPlace } from './lines.js';
import { toFoundSource } from './lines.js';
import type { MapAddress } from './map-address.js';
import { readBase64, readMapAddress, resolveMapAddress } from './map-address.js';
import { parseSourceMap, toTooLarge } from './parse-source-map.js';
import type { SourceRefusal } from './refusal.js';
import { toBrokenMap } from './refusal.js';
import { findScript, type Counting, type ScriptCandidate } from './script-candidates.js';

/** A place as a browser says it; both count from 1, and a column of 0 says nothing. */
export interface ScriptPlace {
  readonly line: number;
  readonly column?: number | undefined;
}

/** A place to look up in a map. */
interface MapPlace extends TextPlace {
  /** Empty lines that a template may have put between the script element and the code that the map is of. */
  readonly emptyLines?: number;
}

/** One step on the way from a place to its source; all the work there is, for a worker that can be ended. */
export type SourceTask =
  | {
      /** The place is in an inline script of a document. */
      readonly task: 'document';
      readonly html: string;
      /** The address of the document, to which those of its maps are relative. */
      readonly base: string;
      readonly place: ScriptPlace;
      /** What the error says, which helps to tell several scripts apart. */
      readonly message: string;
      /** From where the browser counts, if that is known. */
      readonly counting?: Counting;
      /** What the script calls itself (`sourceURL`). */
      readonly name?: string;
    }
  | {
      /** The place is in a script of its own. */
      readonly task: 'script';
      readonly script: string;
      readonly base: string;
      readonly place: ScriptPlace;
    }
  | {
      /** The map was read; `place` is the outcome's `at` of the step before. */
      readonly task: 'map';
      readonly map: { readonly text: string } | { readonly base64: string };
      readonly place: MapPlace;
    };

/** What one step found out. */
export interface SourceOutcome {
  /** The place in the author's own source. */
  readonly original?: FoundSource;
  /** The place in what the server sent. */
  readonly written?: FoundSource;
  /** Where the map is, if somebody has to read it first, and the place to look up in it. */
  readonly elsewhere?: {
    readonly address: Exclude<MapAddress, { kind: 'inline' | 'refused' }>;
    readonly at: MapPlace;
  };
  /** Another script of the document would do as well. */
  readonly isGuess?: true;
  readonly refusal?: SourceRefusal;
}

const toTextPlace = ({ line, column }: ScriptPlace): TextPlace | undefined => {
  if (!Number.isSafeInteger(line) || line < 1) return undefined;
  const isKnown = column !== undefined && Number.isSafeInteger(column) && column >= 1;
  return isKnown ? { line, column: column - 1 } : { line };
};

const noPlace: SourceRefusal = {
  code: 'no-place',
  reason: 'The browser did not say in which line this happened.',
  nextStep: 'Reject and throw Error objects: they know where they were made.',
};

const noScript: SourceRefusal = {
  code: 'no-script',
  reason: 'No script of the document has this line and column.',
  nextStep:
    'It may come from a script that another one added. Name that script by a comment: //# sourceURL=name.js',
};

const noMap: SourceRefusal = {
  code: 'no-map',
  reason: 'The script names no source map, so these are the lines as the server sent them.',
  nextStep:
    'Build with an inline source map to see your own source (esbuild: sourcemap: "inline"; Vite: build.sourcemap: "inline").',
};

/** Does one step; throws nothing but what the engine throws when it has no memory left. */
export const examineSource = (task: SourceTask, budget: SourceMapBudget = defaultBudget): SourceOutcome => {
  if (task.task === 'map') return examineMap(task, budget);
  const place = toTextPlace(task.place);
  if (place === undefined) return { refusal: noPlace };
  if (task.task === 'script') {
    const written = toFoundSource(task.base, place, task.script);
    if (written.lines.length === 0) return { refusal: noScript };
    return { written, ...followMap(readMapAddress(task.script), task.base, place, budget) };
  }
  const found = findScript(task.html, place, task);
  if (found === undefined) return { refusal: noScript };
  return {
    written: toDocumentPlace(found),
    ...(found.isGuess ? { isGuess: true } : {}),
    ...followMap(found.mapAddress, task.base, toMapPlace(found), budget),
  };
};

const toMapPlace = ({ script, place }: Pick<ScriptCandidate, 'script' | 'place'>): MapPlace => {
  const emptyLines = /^[ \t]*(?:\r\n|[\r\n])/.exec(script) === null ? 0 : 1;
  return emptyLines > 0 && place.line > emptyLines ? { ...place, emptyLines } : place;
};

/** The place and its lines, counted in the HTML as the server sent it. */
const toDocumentPlace = ({ script, place, begins }: ScriptCandidate): FoundSource => {
  const { line, column, lines } = toFoundSource('', place, script);
  const before = begins.line - 1;
  return {
    file: 'the app’s HTML',
    line: line + before,
    ...(column === undefined ? {} : { column: column + (line === 1 ? begins.column : 0) }),
    lines: lines.map((one) => ({ ...one, number: one.number + before })),
  };
};

const followMap = (
  address: string | undefined,
  base: string,
  at: MapPlace,
  budget: SourceMapBudget,
): SourceOutcome => {
  if (address === undefined) return { refusal: noMap };
  if (address.length > budget.maxCharacters * 1.5) return { refusal: toTooLarge(budget) };
  const resolved = resolveMapAddress(address, base);
  if (resolved.kind === 'refused') return { refusal: resolved.refusal };
  if (resolved.kind === 'inline') return examineMap({ map: resolved, place: at }, budget);
  return { elsewhere: { address: resolved, at } };
};

const examineMap = (
  { map, place }: Pick<Extract<SourceTask, { task: 'map' }>, 'map' | 'place'>,
  budget: SourceMapBudget,
): SourceOutcome => {
  let text: string;
  if ('text' in map) text = map.text;
  else if (map.base64.length > budget.maxCharacters * 1.5) return { refusal: toTooLarge(budget) };
  else
    try {
      text = readBase64(map.base64);
    } catch {
      return { refusal: toBrokenMap('its base64 cannot be decoded') };
    }
  const outcome = lookUp(text, place, budget);
  // DevTools take the map as it is; that of a bundle in one line then has nothing for the line below the empty one.
  if (outcome.refusal?.code !== 'place-not-mapped' || place.emptyLines === undefined) return outcome;
  const below = lookUp(text, { ...place, line: place.line - place.emptyLines }, budget);
  return below.original ? below : outcome;
};

const lookUp = (text: string, place: TextPlace, budget: SourceMapBudget): SourceOutcome => {
  const parsed = parseSourceMap(text, place, budget);
  return 'refusal' in parsed ? parsed : findOriginal(parsed.part, place, budget);
};

import { isRecord } from '@casement/protocol/start';
import type { SourceMapBudget } from './budget.js';
import type { TextPlace } from './lines.js';
import type { SourceRefusal } from './refusal.js';
import { toBrokenMap } from './refusal.js';

/** A source map, or one part of it, as far as it is looked at. */
export interface MapPart {
  readonly mappings: string;
  readonly sources: readonly unknown[];
  readonly sourcesContent: readonly unknown[];
  readonly sourceRoot: string;
  /** Where the part begins in the script; both count from 0. */
  readonly offset: { readonly line: number; readonly column: number };
}

type Parsed = { readonly part: MapPart } | { readonly refusal: SourceRefusal };

const refuse = (refusal: SourceRefusal): Parsed => ({ refusal });

/** Reads the part of a map, of version 3, that a place of its script is in; nothing of the other parts. */
export const parseSourceMap = (text: string, place: TextPlace, budget: SourceMapBudget): Parsed => {
  if (text.length > budget.maxCharacters) return refuse(toTooLarge(budget));
  let map: unknown;
  try {
    // Some servers put a line of brackets before it, so that no page runs it as a script.
    map = JSON.parse(text.startsWith(")]}'") ? text.slice(text.indexOf('\n') + 1) : text);
  } catch {
    return refuse(toBrokenMap('it is not JSON'));
  }
  if (!isRecord(map)) return refuse(toBrokenMap('it is not an object'));
  const sections = map['sections'];
  return sections === undefined ? toPart(map, { line: 0, column: 0 }) : findSection(sections, place, budget);
};

/** Says that a map has more characters than are read. */
export const toTooLarge = ({ maxCharacters }: SourceMapBudget): SourceRefusal => ({
  code: 'map-too-large',
  reason: `The source map is larger than ${Math.floor(maxCharacters / 1024 / 1024)} MB, so it was not read.`,
  nextStep:
    'Build with a map of the app’s own code alone, or without minifying: then the places lead to the code.',
});

const toPart = (map: Record<string, unknown>, offset: MapPart['offset']): Parsed => {
  const version = map['version'];
  if (version !== 3) return refuse(toBrokenMap('its version is not 3'));
  const mappings = map['mappings'];
  if (typeof mappings !== 'string') return refuse(toBrokenMap('it has no text in "mappings"'));
  const sources = map['sources'];
  if (!Array.isArray(sources)) return refuse(toBrokenMap('it has no list in "sources"'));
  const sourcesContent = map['sourcesContent'];
  const sourceRoot = map['sourceRoot'];
  return {
    part: {
      mappings,
      sources,
      sourcesContent: Array.isArray(sourcesContent) ? sourcesContent : [],
      sourceRoot: typeof sourceRoot === 'string' ? sourceRoot : '',
      offset,
    },
  };
};

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const refuseSections = (reason: string): Parsed =>
  refuse({
    code: 'map-sections',
    reason,
    nextStep: 'Build the app into one script with one map.',
  });

/** The last section that begins at or before a place. */
const findSection = (sections: unknown, place: TextPlace, { maxSections }: SourceMapBudget): Parsed => {
  if (!Array.isArray(sections)) return refuse(toBrokenMap('its "sections" are no list'));
  if (sections.length > maxSections)
    return refuseSections(`The source map has more than ${maxSections} sections, so it was not read.`);
  const line = place.line - 1;
  const column = place.column ?? Infinity;
  let best: { map: unknown; offset: MapPart['offset'] } | undefined;
  for (const section of sections) {
    const at = isRecord(section) ? section['offset'] : undefined;
    if (!isRecord(section) || !isRecord(at) || !isCount(at['line']) || !isCount(at['column']))
      return refuse(toBrokenMap('a section does not say where it begins'));
    const offset = { line: at['line'], column: at['column'] };
    const isBefore = offset.line < line || (offset.line === line && offset.column <= column);
    const isLater =
      best === undefined ||
      offset.line > best.offset.line ||
      (offset.line === best.offset.line && offset.column >= best.offset.column);
    if (isBefore && isLater) best = { map: section['map'], offset };
  }
  if (best === undefined) return refuse(toUnmapped());
  if (!isRecord(best.map))
    return refuseSections('A section of the source map names another map instead of holding one.');
  if (best.map['sections'] !== undefined)
    return refuseSections(
      'A section of the source map has sections itself, which the format does not allow.',
    );
  return toPart(best.map, best.offset);
};

/** Says that a map has nothing for a place. */
export const toUnmapped = (): SourceRefusal => ({
  code: 'place-not-mapped',
  reason:
    'The source map has nothing for this place: the build tool wrote this code itself, or the map is of another build.',
  nextStep: 'Look at the lines as they were sent, or build script and map anew together.',
});

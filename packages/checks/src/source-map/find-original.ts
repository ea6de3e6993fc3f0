// One pass over the mappings of a source map, which keeps nothing but the segment that is looked for: a map with
// millions of segments costs their reading, and no memory (E15).
import type { SourceMapBudget } from './budget.js';
import type { FoundSource, TextPlace } from './lines.js';
import { toFoundSource } from './lines.js';
import type { MapPart } from './parse-source-map.js';
import { toUnmapped } from './parse-source-map.js';
import type { SourceRefusal } from './refusal.js';
import { toBrokenMap } from './refusal.js';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const comma = 44;
const semicolon = 59;

/** The value of each character of base64, by its code; -1 for all others. */
const digits = Int8Array.from({ length: 128 }, (_, code) => alphabet.indexOf(String.fromCharCode(code)));

interface Segment {
  readonly column: number;
  readonly source: number | undefined;
  readonly line: number;
  readonly sourceColumn: number;
}

const toTooMany = ({ maxSegments }: SourceMapBudget): SourceRefusal => ({
  code: 'map-too-many-segments',
  reason: `The source map has more than ${maxSegments.toLocaleString('en')} segments before this place, so it was not read to the end.`,
  nextStep: 'Build with a map of lines only, or of the app’s own code alone.',
});

/** The segment of a line that covers a column, or the line's first; the numbers of a segment count on from the one before. */
const findSegment = (
  mappings: string,
  line: number,
  column: number | undefined,
  budget: SourceMapBudget,
): Segment | SourceRefusal | undefined => {
  const sums = [0, 0, 0, 0, 0];
  let best: Segment | undefined;
  let now = 0;
  let fields = 0;
  let count = 0;
  let index = 0;
  while (index <= mappings.length) {
    const code = index < mappings.length ? mappings.charCodeAt(index) : semicolon;
    if (code !== comma && code !== semicolon) {
      // One number: six bits in a character, of which the first says whether more follow.
      let value = 0;
      let shift = 0;
      for (let more = true; more; index += 1) {
        const digit = digits[mappings.charCodeAt(index)] ?? -1;
        if (digit < 0 || shift > 30)
          return toBrokenMap(`its mappings cannot be read at character ${index + 1}`);
        value += (digit & 31) * 2 ** shift;
        shift += 5;
        more = digit >= 32;
      }
      if (fields > 4) return toBrokenMap(`a segment has more than five numbers at character ${index}`);
      const sum = (sums[fields] ?? 0) + (value % 2 === 1 ? -Math.floor(value / 2) : value / 2);
      if (sum < 0 || sum > 0x7fffffff)
        return toBrokenMap(`a number of its mappings is out of range at character ${index}`);
      sums[fields] = sum;
      fields += 1;
      continue;
    }
    if (fields > 0) {
      if (fields === 2 || fields === 3)
        return toBrokenMap(`a segment has ${fields} numbers at character ${index}`);
      count += 1;
      if (count > budget.maxSegments) return toTooMany(budget);
      if (now === line) best = chooseSegment(best, toSegment(sums, fields), column);
      fields = 0;
    }
    if (code === semicolon) {
      if (now === line) return best;
      now += 1;
      sums[0] = 0;
    }
    index += 1;
  }
  return undefined;
};

const toSegment = (
  [column = 0, source = 0, line = 0, sourceColumn = 0]: number[],
  fields: number,
): Segment => ({
  column,
  source: fields > 1 ? source : undefined,
  line,
  sourceColumn,
});

const chooseSegment = (
  best: Segment | undefined,
  segment: Segment,
  column: number | undefined,
): Segment | undefined => {
  if (column === undefined) return best ?? (segment.source === undefined ? undefined : segment);
  const isCloser = best === undefined || segment.column >= best.column;
  return segment.column <= column && isCloser ? segment : best;
};

/** The place in the source that a place of the script came from, with the source's text if the map has it. */
export const findOriginal = (
  part: MapPart,
  place: TextPlace,
  budget: SourceMapBudget,
):
  | { readonly original: FoundSource; readonly refusal?: SourceRefusal }
  | { readonly refusal: SourceRefusal } => {
  const { offset } = part;
  const line = place.line - 1 - offset.line;
  const column = place.column === undefined ? undefined : place.column - (line === 0 ? offset.column : 0);
  const segment = findSegment(part.mappings, line, column, budget);
  if (segment === undefined) return { refusal: toUnmapped() };
  if ('code' in segment) return { refusal: segment };
  if (segment.source === undefined) return { refusal: toUnmapped() };
  if (segment.source >= part.sources.length)
    return { refusal: toBrokenMap('a segment names a source that is not in its list') };
  const content = part.sourcesContent[segment.source];
  const original = toFoundSource(
    toFileName(part, part.sources[segment.source]),
    { line: segment.line + 1, column: segment.sourceColumn },
    typeof content === 'string' ? content : undefined,
  );
  if (typeof content !== 'string') return { original, refusal: toNoText() };
  if (original.lines.length === 0)
    return { refusal: toBrokenMap('it leads to a line or column that its source does not have') };
  return { original };
};

const toNoText = (): SourceRefusal => ({
  code: 'no-source-text',
  reason: 'The source map has no text for this file, and files are not read from disk.',
  nextStep: 'Build with the sources in the map (esbuild: sourcesContent: true; TypeScript: inlineSources).',
});

/** The name as the map has it: a text, which is neither resolved nor opened. */
const toFileName = ({ sourceRoot }: MapPart, source: unknown): string => {
  const name = typeof source === 'string' && source !== '' ? source : '(a source without a name)';
  if (sourceRoot === '' || typeof source !== 'string') return name;
  return `${sourceRoot.slice(0, 300)}${sourceRoot.endsWith('/') ? '' : '/'}${name}`;
};

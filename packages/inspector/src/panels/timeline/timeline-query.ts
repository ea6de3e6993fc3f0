import type { RecordingEntry } from '@casement/protocol';
import { toSearchText } from './search-text.js';
import type { TimelineRow } from './timeline-row.js';

/** The three places something can happen in; `host` is what a recording calls leg "none". */
export const legs = ['app', 'server', 'host'] as const;
export type Leg = (typeof legs)[number];

/** The kinds in the order the filter offers them. */
export const kinds = [
  'request',
  'response',
  'notification',
  'lifecycle',
  'decision',
  'violation',
  'finding',
  'evidence',
  'dropped',
  'invalid',
  'error',
] as const satisfies readonly RecordingEntry['kind'][];

/** What a query asks for; an empty set asks for everything. */
export interface TimelineFilter {
  readonly legs: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
  readonly onlyProblems: boolean;
  readonly words: readonly string[];
}

const problemTerm = 'is:problem';
const termPattern = /"([^"]*)"?|\S+/g;

const isKnown = (names: readonly string[], name: string): boolean => names.includes(name);

/** Reads `leg:app kind:request is:problem some words "a phrase"`; the whole filter is one text, so a link carries it. */
export const parseQuery = (query: string): TimelineFilter => {
  const found = { legs: new Set<string>(), kinds: new Set<string>(), words: [] as string[] };
  let onlyProblems = false;
  for (const [term, phrase] of query.toLowerCase().matchAll(termPattern)) {
    const [name = '', value = ''] = term.split(/:(.*)/);
    if (term === problemTerm) onlyProblems = true;
    else if (name === 'leg' && isKnown(legs, value)) found.legs.add(value);
    else if (name === 'kind' && isKnown(kinds, value)) found.kinds.add(value);
    else if ((phrase ?? term) !== '') found.words.push(phrase ?? term);
  }
  return { ...found, onlyProblems };
};

/** What a row is searched by. */
const toRowText = (row: TimelineRow): string => {
  const { entry, label, summary, code = '' } = row;
  const head = [label, row.request?.label ?? '', summary, code, entry.kind, entry.session].join(' ');
  return `${head.toLowerCase()} ${toSearchText(entry.raw)}`;
};

/** The texts that rows are searched by. */
interface SearchTexts {
  read(row: TimelineRow): string;
  /** Called for a row that is searched no more. */
  forget(row: TimelineRow): void;
}

const maxKeptChars = 32 * 1024 * 1024;

/** Creates the texts of rows: each is made when it is first searched, and kept while there is room for it. */
export const createSearchTexts = (maxChars = maxKeptChars): SearchTexts => {
  const kept = new Map<TimelineRow, string>();
  let chars = 0;
  return {
    read: (row) => {
      const known = kept.get(row);
      if (known !== undefined) return known;
      const text = toRowText(row);
      if (chars + text.length > maxChars) return text;
      kept.set(row, text);
      chars += text.length;
      return text;
    },
    forget: (row) => {
      chars -= kept.get(row)?.length ?? 0;
      kept.delete(row);
    },
  };
};

/** Decides about one row. */
export const toMatcher =
  (
    { legs: asked, kinds: wanted, onlyProblems, words }: TimelineFilter,
    readText = toRowText,
  ): ((row: TimelineRow) => boolean) =>
  (row) => {
    const { leg, kind } = row.entry;
    if (onlyProblems && !row.isProblem) return false;
    if (asked.size > 0 && !asked.has(leg === 'none' ? 'host' : leg)) return false;
    if (wanted.size > 0 && !wanted.has(kind)) return false;
    if (words.length === 0) return true;
    const text = readText(row);
    return words.every((word) => text.includes(word));
  };

const terms = (query: string): string[] => [...query.matchAll(termPattern)].map(([term]) => term);

/** The query with a term added, or without it when it was there. */
export const toggleTerm = (query: string, term: string): string => {
  const present = terms(query);
  const rest = present.filter((one) => one.toLowerCase() !== term);
  return (rest.length < present.length ? rest : [...present, term]).join(' ');
};

/** The query with this kind only, or with every kind. */
export const withKind = (query: string, kind: string): string => {
  const rest = terms(query).filter((term) => !/^kind:/i.test(term));
  return (kind === '' ? rest : [...rest, `kind:${kind}`]).join(' ');
};

/** The term of a leg, and of problems. */
export const toLegTerm = (leg: Leg): string => `leg:${leg}`;
export { problemTerm };

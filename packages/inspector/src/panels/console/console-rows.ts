import type { AppSnapshot } from '@casement/host';
import type { AppEvidence, ShownValue } from '@casement/protocol';

/** The levels of a console, the least grave first. */
export const consoleLevels = ['debug', 'log', 'info', 'warn', 'error'] as const;
/** One of the levels. */
export type ConsoleLevel = (typeof consoleLevels)[number];

/** A place in the code that ran, as the app's page says it. */
export interface CodePlace {
  readonly sourceFile?: string;
  readonly line?: number;
  readonly column?: number;
}

/** One line of an app's console: what it wrote, or an error that nothing in it caught. */
export interface ConsoleRow {
  readonly key: string;
  /** Milliseconds since 1970, where it is known. */
  readonly at?: number;
  readonly level: ConsoleLevel;
  readonly values: readonly ShownValue[];
  /** How often the line came in a row. */
  readonly count: number;
  readonly place: CodePlace;
  /** Where the functions that led to an uncaught error were called. */
  readonly stack?: string;
}

/** A load that failed. */
export interface LoadRow {
  readonly key: string;
  readonly at: number;
  readonly url: string;
  readonly element: string;
  readonly status: string;
  readonly place: CodePlace;
}

/** What the panel shows of what the app reported. */
export interface ConsoleFilter {
  readonly levels: ReadonlySet<ConsoleLevel>;
  readonly text: string;
}

type Of<Kind extends AppEvidence['kind']> = Extract<AppEvidence, { kind: Kind }>;

const toPlace = ({ sourceFile, line, column }: CodePlace): CodePlace => ({
  ...(sourceFile === undefined ? {} : { sourceFile }),
  ...(line === undefined ? {} : { line }),
  ...(column === undefined ? {} : { column }),
});

type ScriptError = AppSnapshot['scriptErrors'][number];

/** The row of each report, made once: in a flood only the lines that came are drawn, not all that are there. */
const known = new WeakMap<object, ConsoleRow>();
let made = 0;

const toRow = <Report extends object>(
  report: Report,
  make: (report: Report) => Omit<ConsoleRow, 'key'>,
): ConsoleRow => {
  const row = known.get(report) ?? { key: `${(made += 1)}`, ...make(report) };
  known.set(report, row);
  return row;
};

const toLine = (item: Of<'console'>): Omit<ConsoleRow, 'key'> => ({
  at: item.at,
  level: item.level,
  values: item.values,
  count: item.count ?? 1,
  place: toPlace(item),
});

const toError = (error: ScriptError): Omit<ConsoleRow, 'key'> => ({
  ...(error.at === undefined ? {} : { at: error.at }),
  level: 'error',
  values: [{ type: 'error', text: error.message }],
  count: 1,
  place: toPlace(error),
  ...(error.stack === undefined ? {} : { stack: error.stack }),
});

/** The lines of the console and the errors nobody caught, by time; what has no time comes first. */
export const toConsoleRows = ({
  evidence,
  scriptErrors,
}: Pick<AppSnapshot, 'evidence' | 'scriptErrors'>): ConsoleRow[] => {
  const lines = evidence.items.flatMap((item) => (item.kind === 'console' ? [toRow(item, toLine)] : []));
  return [...scriptErrors.map((error) => toRow(error, toError)), ...lines].sort(
    (a, b) => (a.at ?? 0) - (b.at ?? 0),
  );
};

/** The loads that failed; each address and element once. */
export const toLoadRows = ({ evidence }: Pick<AppSnapshot, 'evidence'>): LoadRow[] => {
  const rows = new Map<string, LoadRow>();
  for (const item of evidence.items) {
    if (item.kind !== 'load-failed') continue;
    const key = `${item.element} ${item.url}`;
    const status = item.status === undefined ? 'the browser does not say why' : `status ${item.status}`;
    if (!rows.has(key))
      rows.set(key, { key, at: item.at, url: item.url, element: item.element, status, place: toPlace(item) });
  }
  return [...rows.values()];
};

const maxSearched = 4_000;

/** A value as one line of text, with what is in it as far as it is searched. */
const toValueText = (value: ShownValue, left: number): string => {
  const parts = [value.text.slice(0, left)];
  let room = left - value.text.length - 1;
  for (const [name, member] of value.members ?? []) {
    if (room <= 0) break;
    const text = `${name.slice(0, room)}: ${toValueText(member, room - 3)}`;
    parts.push(text);
    room -= text.length;
  }
  return parts.join(' ');
};

const toRowText = ({ values, place }: ConsoleRow): string =>
  [...values.map((value) => toValueText(value, maxSearched)), place.sourceFile ?? ''].join(' ').toLowerCase();

/** Decides about one row; no levels are all of them. */
export const toConsoleMatcher = ({ levels, text }: ConsoleFilter): ((row: ConsoleRow) => boolean) => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return (row) => {
    if (levels.size > 0 && !levels.has(row.level)) return false;
    if (words.length === 0) return true;
    const found = toRowText(row);
    return words.every((word) => found.includes(word));
  };
};

/** How many lines there are of each level, repeats included. */
export const countLevels = (rows: readonly ConsoleRow[]): ReadonlyMap<ConsoleLevel, number> => {
  const counts = new Map<ConsoleLevel, number>();
  for (const { level, count } of rows) counts.set(level, (counts.get(level) ?? 0) + count);
  return counts;
};

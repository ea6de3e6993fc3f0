import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The text of a page of the documentation. */
export const readPage = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8');

/** The part of a page below a heading, up to the next heading of the same rank or a higher one. */
export const readSection = (page: string, heading: string): string => {
  const lines = page.split('\n');
  const start = lines.findIndex((line) => line.replace(/^#+ /, '') === heading && line.startsWith('#'));
  if (start < 0) throw new Error(`The page has no heading "${heading}".`);
  const rank = /^#+/.exec(lines[start] ?? '')?.[0].length ?? 1;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => (/^(#+) /.exec(line)?.[1]?.length ?? 9) <= rank);
  return (end < 0 ? rest : rest.slice(0, end)).join('\n');
};

/** The cells of every row of the tables in a text, without the heads of the tables. */
export const readRows = (text: string): readonly (readonly string[])[] => {
  const lines = text.split('\n');
  const isRule = (line: string | undefined): boolean => /^\|(?: ?-+ ?\|)+$/.test(line ?? '');
  return lines
    .filter((line, index) => line.startsWith('| ') && !isRule(line) && !isRule(lines[index + 1]))
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim()),
    );
};

/** The words in code style of a cell: `` `a`, `b` `` gives a and b. */
export const readCodes = (cell: string): readonly string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

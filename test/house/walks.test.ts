import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listSources, readImports, readSpecifiers, root } from './sources.js';

/*
 * The walks of ARCHITECTURE.md name every file that a reader enters, in order; coming back counts again.
 * A walk is a block of code with the language `walk`. Its first line is its title and its limit: `tools/call: 58 stops at most`.
 * Then come the stops, as paths below a package's `src`; a stop that enters a package begins with it (`host:core/policy/policy`).
 * `→` joins two files of which one imports the other; `=HTTP=>` names another way from one to the next.
 */
/** The walks that a reader takes most often, with the number of stops that nobody may raise. */
const longest = { "a guest's tools/call": 58, 'a tool result becoming pixels': 75 };

const crossings = ['postMessage', 'HTTP', 'callback', 'stdio', 'page script'];

interface Stop {
  readonly package: string;
  readonly file: string;
  /** How the reader came here, and undefined by an import. */
  readonly crossing: string | undefined;
}

interface Walk {
  readonly title: string;
  readonly limit: number;
  readonly stops: readonly Stop[];
}

const findFile = (path: string): string =>
  [`${path}.ts`, `${path}.tsx`].find((name) => existsSync(join(root, name))) ?? path;

const parseWalk = (block: string): Walk => {
  const [head = '', ...rest] = block.trim().split('\n');
  const [, title = '', limit = ''] = /^(.+): (\d+) stops at most$/.exec(head.trim()) ?? [];
  const pieces = rest.join(' ').split(/\s+(→|=[^=>]+=>)\s+/);
  const stops: Stop[] = [];
  let current = '';
  for (let index = 0; index < pieces.length; index += 2) {
    const piece = (pieces[index] ?? '').trim();
    const sign = pieces[index - 1];
    const [, name, path = ''] = /^(?:([a-z]+):)?(\S+)$/.exec(piece) ?? [];
    current = name ?? current;
    stops.push({
      package: current,
      file: findFile(`packages/${current}/src/${path}`),
      crossing: sign === undefined || sign === '→' ? undefined : sign.slice(1, -2),
    });
  }
  return { title, limit: Number(limit), stops };
};

const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
const walks = [...page.matchAll(/^```walk\n([\s\S]*?)^```$/gm)].map(([, block = '']) => parseWalk(block));

const sources = listSources();
const imports = readImports(sources);

const isImported = (from: Stop, to: Stop): boolean =>
  from.package === to.package
    ? (imports.get(from.file) ?? []).includes(to.file)
    : readSpecifiers(from.file).some(
        (name) => name === `@casement/${to.package}` || name.startsWith(`@casement/${to.package}/`),
      );

describe('the walks of ARCHITECTURE.md', () => {
  test.each(Object.entries(longest))('%s is there, and its limit is at most %i', (title, limit) => {
    expect(walks.find((walk) => walk.title === title)?.limit).toBeLessThanOrEqual(limit);
  });

  describe.each(walks)('$title', ({ title, limit, stops }) => {
    test('stops at files that exist', () => {
      expect(stops.filter(({ file }) => !sources.includes(file)).map(({ file }) => file)).toEqual([]);
    });

    test('goes from each file to the next by an import or a named crossing', () => {
      const gaps = stops.slice(1).flatMap((to, index) => {
        const from = stops[index];
        if (!from) return [];
        if (to.crossing !== undefined)
          return crossings.includes(to.crossing) ? [] : [`=${to.crossing}=> ${to.file}`];
        return isImported(from, to) || isImported(to, from) ? [] : [`${from.file} → ${to.file}`];
      });
      expect(gaps).toEqual([]);
    });

    test(`has no more stops than its limit: ${stops.length}`, () => {
      process.stdout.write(
        `walk: ${title}: ${stops.length} stops, ${new Set(stops.map((stop) => stop.file)).size} files\n`,
      );
      expect(stops.length).toBeLessThanOrEqual(limit);
    });
  });
});

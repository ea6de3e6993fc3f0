import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { root } from './sources.js';

interface Door {
  /** How users import it. */
  readonly name: string;
  /** Its built declarations. */
  readonly declarations: string;
  /** The source file they were built from. */
  readonly source: string;
}

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Record<string, string | { readonly types?: string; readonly default?: string }>;
}

/** The most names that all packages together may offer. */
const maxNames = 400;

const listDoors = (): Door[] =>
  readdirSync(join(root, 'packages')).flatMap((folder) => {
    const path = join(root, 'packages', folder, 'package.json');
    // Our own manifests; their form is held by publint.
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
    if (manifest.private) return [];
    return Object.entries(manifest.exports ?? {}).flatMap(([subpath, target]) => {
      const types = typeof target === 'string' ? target : (target.types ?? target.default ?? '');
      if (!/\.(?:js|ts)$/.test(types) || types.includes('.css.')) return [];
      const declarations = join(root, 'packages', folder, types.replace(/\.js$/, '.d.ts'));
      return [
        {
          name: `${manifest.name}${subpath.slice(1)}`,
          declarations,
          source: declarations.replace('/dist/', '/src/').replace(/\.d\.ts$/, '.ts'),
        },
      ];
    });
  });

const doors = listDoors();

const program = ts.createProgram(
  doors.map(({ declarations }) => declarations),
  {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    jsx: ts.JsxEmit.ReactJSX,
    skipLibCheck: true,
  },
);
const checker = program.getTypeChecker();

/** What a door offers, values and types, as the TypeScript checker sees it. */
const listNames = ({ declarations }: Door): ts.Symbol[] => {
  const file = program.getSourceFile(declarations);
  const symbol = file && checker.getSymbolAtLocation(file);
  return symbol ? checker.getExportsOfModule(symbol) : [];
};

const toOrigin = (symbol: ts.Symbol): ts.Symbol =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

describe('the doors of the packages', () => {
  test('each offers exactly the names that are pinned', async () => {
    const text = doors
      .map((door) => {
        const names = listNames(door).map(({ name }) => name);
        return `${door.name}\n${names
          .sort()
          .map((name) => `  ${name}\n`)
          .join('')}`;
      })
      .join('\n');
    await expect(text).toMatchFileSnapshot('surface.txt');
  });

  test(`all together offer at most ${maxNames} names`, () => {
    const counts = doors.map((door) => [door.name, listNames(door).length] as const);
    const sum = counts.reduce((total, [, count]) => total + count, 0);
    expect(sum, counts.map(([name, count]) => `${name} ${count}`).join(', ')).toBeLessThanOrEqual(maxNames);
    expect(sum).toBeGreaterThan(100);
  });

  test('none hides names in a namespace, and none has a default export', () => {
    const hidden = doors.flatMap((door) =>
      listNames(door)
        .filter(
          (symbol) =>
            symbol.name === 'default' ||
            (toOrigin(symbol).flags & (ts.SymbolFlags.NamespaceModule | ts.SymbolFlags.ValueModule)) !== 0,
        )
        .map(({ name }) => `${door.name}: ${name}`),
    );
    expect(hidden).toEqual([]);
  });

  test('each names its exports one by one', () => {
    const starred = doors.filter(
      ({ source }) => !existsSync(source) || /^export \*/m.test(readFileSync(source, 'utf8')),
    );
    expect(starred.map(({ name }) => name)).toEqual([]);
  });
});

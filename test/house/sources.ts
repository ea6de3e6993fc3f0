import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import ts from 'typescript';

/** The repository's folder. */
export const root = join(import.meta.dirname, '../..');

const isSource = (file: string): boolean =>
  /\.tsx?$/.test(file) && !/\.(?:test|test-support|d)\.tsx?$/.test(file);

/** Every source file of the packages, tests and generated files left out; paths are relative to the repository. */
export const listSources = (): string[] =>
  readdirSync(join(root, 'packages')).flatMap((name) => {
    const folder = `packages/${name}/src`;
    return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => posix.join(folder, file.replaceAll('\\', '/')))
      .filter((file) => isSource(file) && !file.includes('/generated/'));
  });

/** The names of everything that a file imports or exports from elsewhere, types and dynamic imports included. */
export const readSpecifiers = (file: string): string[] =>
  ts
    .preProcessFile(readFileSync(join(root, file), 'utf8'), true, true)
    .importedFiles.map(({ fileName }) => fileName);

/** Which of the given files each of them imports by a relative path. */
export const readImports = (files: readonly string[]): Map<string, string[]> => {
  const known = new Set(files);
  const find = (from: string, specifier: string): string[] => {
    if (!specifier.startsWith('.')) return [];
    const path = posix.join(dirname(from), specifier);
    return [path, path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx')].filter((name) =>
      known.has(name),
    );
  };
  return new Map(files.map((file) => [file, readSpecifiers(file).flatMap((name) => find(file, name))]));
};

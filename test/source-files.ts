import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const isSource = /\.(?:ts|tsx|mjs|js|css|html)$/;
const isLeftOut = /(?:^|\/)(?:node_modules|dist|generated|\.cache)\//;

/** Whether a file is a test or only serves tests. */
export const isTestFile = (file: string): boolean => /\.test(?:-support)?\.tsx?$/.test(file);

/** The source files below a folder of the repository, by their path from its root. */
export const listSources = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => isSource.test(file) && !isLeftOut.test(file))
    .toSorted();

/** The text of a file of the repository. */
export const readSource = (file: string): string => readFileSync(join(root, file), 'utf8');

import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCodes } from '@casement/protocol/basics';
import { expect, test } from 'vitest';
import { readPage } from './doc-tables.js';

const root = join(import.meta.dirname, '..');

/** Every page that people read: at the top, in docs, and of packages and examples. */
const pages = [
  ...readdirSync(root),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((file) => `docs/${file}`),
  ...['packages', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}/README.md`),
  ),
].filter((file) => file.endsWith('.md') && existsSync(join(root, file)));

/** The text without blocks of code, in which brackets are no links. */
const withoutCode = (text: string): string => text.replaceAll(/^```.*?^```/gms, '');

/** The anchor a heading gets: lower case, spaces as dashes, no other signs. */
const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}_ -]/gu, '')
    .replaceAll(' ', '-');

const hasAnchor = (file: string, anchor: string): boolean =>
  [...withoutCode(readPage(file)).matchAll(/^#+ (.*)$/gm)].some(
    ([, heading = '']) => toAnchor(heading) === anchor,
  );

test.each(pages)('every link of %s leads to something that is there', (page) => {
  const links = [...withoutCode(readPage(page)).matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].map(
    ([, link = '']) => link,
  );
  const broken = links.filter((link) => {
    const [path = '', anchor = ''] = link.split('#');
    const file = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(root, file))) return true;
    return anchor !== '' && !hasAnchor(file, anchor);
  });
  expect(broken).toEqual([]);
});

test('every code in the guide to debugging is one of the list', () => {
  const [, table = ''] =
    /\| You see \| Code \|.*?\n(.*?)\n\n/s.exec(readPage('docs/guide/debug-a-frame.md')) ?? [];
  const codes = table.split('\n').flatMap((row) => [...(row.split('|')[2] ?? '').matchAll(/`([a-z-]+)`/g)]);
  expect(codes.length).toBeGreaterThan(10);
  const known: ReadonlySet<string> = new Set(errorCodes);
  expect(codes.map(([, code = '']) => code).filter((code) => !known.has(code))).toEqual([]);
});

test('every command in the README is there: scripts, examples that start, files and folders of tests', () => {
  const readme = readPage('README.md');
  const { scripts } = JSON.parse(readPage('package.json')) as { scripts: Record<string, string> };
  const commands = [...readme.matchAll(/npm (?:run [\w:]+|start|test)[^`\n#|]*/g)].map(([command]) =>
    command.trim(),
  );
  expect(commands.length).toBeGreaterThan(10);
  for (const command of commands) {
    const [, run] = /^npm run ([\w:]+)/.exec(command) ?? [];
    if (run) expect(Object.keys(scripts), command).toContain(run);
    const [, workspace] = /--workspace (\S+)/.exec(command) ?? [];
    if (workspace) expect(readPage(`${workspace}/package.json`), command).toContain('"start": "node ');
    const [, path] = / ((?:e2e|examples)\/\S+)$/.exec(command) ?? [];
    if (path) expect(existsSync(join(root, path)), command).toBe(true);
  }
});

test('sentences of the pages at the top have lines of their own', () => {
  for (const page of ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md']) {
    const long = withoutCode(readPage(page))
      .split('\n')
      .filter((line) => !line.startsWith('|') && /[a-z)`]\. (?:[A-Z]|`)/.test(line.replace(/^.*?\*\* /, '')))
      .filter((line) => !/\be\.g\. /.test(line));
    expect(long, page).toEqual([]);
  }
});

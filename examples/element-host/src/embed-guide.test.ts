import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../../', import.meta.url);
const guide = readFileSync(new URL('docs/guide/embed.md', root), 'utf8');

/** The lines of a file between `// #region name` and the next `// #endregion`, without the indentation they share. */
const readRegion = (file: string, name: string): string => {
  const lines = readFileSync(new URL(file, root), 'utf8').split('\n');
  const start = lines.findIndex((line) => line.trim() === `// #region ${name}`);
  const end = lines.findIndex((line, index) => index > start && line.trim() === '// #endregion');
  const indent = (lines[start] ?? '').length - (lines[start] ?? '').trimStart().length;
  const region = lines.slice(start + 1, end).map((line) => line.slice(indent));
  return start < 0 || end < 0 ? '' : region.join('\n');
};

/** The first TypeScript block of a README, which a test of its own compiles. */
const readReadme = (file: string): string =>
  /^```tsx?\n([\s\S]*?)\n```$/m.exec(readFileSync(new URL(file, root), 'utf8'))?.[1] ?? '';

const found = [...guide.matchAll(/^(.*)\n+```(\w*)\n([\s\S]*?)\n```$/gm)];
// Commands are run by e2e/guides.
const shown = found.filter(([, , language]) => language !== 'sh');
const blocks = shown.map(([, before = '', , code = '']) => {
  const [, file = '', name] = /^<!-- ([^\s#]+)(?:#(\S+))? -->$/.exec(before) ?? [];
  const source = name
    ? () => readRegion(file, name)
    : file.endsWith('.md')
      ? () => readReadme(file)
      : undefined;
  return { name: `${file}#${name}`, source, code };
});

test('the guide has code, and each block names the place it is from', () => {
  expect(blocks.length).toBeGreaterThan(5);
  expect(blocks.filter(({ source }) => !source).map(({ code }) => code)).toEqual([]);
});

test.each(blocks)('the block $name is code that is run or compiled', ({ source, code }) => {
  expect(code).toBe(source?.());
  expect(code).not.toBe('');
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../../', import.meta.url);
const guide = readFileSync(new URL('docs/guide/embed.md', root), 'utf8');

/** The lines of a file between `// #region name` and the next `// #endregion`. */
const readRegion = (file: string, name: string): string => {
  const lines = readFileSync(new URL(file, root), 'utf8').split('\n');
  const start = lines.indexOf(`// #region ${name}`);
  const end = lines.indexOf('// #endregion', start);
  return start < 0 || end < 0 ? '' : lines.slice(start + 1, end).join('\n');
};

const blocks = [...guide.matchAll(/^(.*)\n+```\w*\n([\s\S]*?)\n```$/gm)].map(
  ([, before = '', code = '']) => ({
    source: /^<!-- (\S+)#(\S+) -->$/.exec(before),
    code,
  }),
);

test('the guide has code, and each block names the place in the example it is from', () => {
  expect(blocks.length).toBeGreaterThan(5);
  expect(blocks.filter(({ source }) => !source).map(({ code }) => code)).toEqual([]);
});

test.each(blocks.map(({ source, code }) => [`${source?.[1]}#${source?.[2]}`, source, code] as const))(
  'the block %s is the code of the example',
  (_name, source, code) => {
    expect(code).toBe(readRegion(source?.[1] ?? '', source?.[2] ?? ''));
    expect(code).not.toBe('');
  },
);

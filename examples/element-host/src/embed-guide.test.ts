import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileBlocks } from '../../../test/compile-blocks.js';
import { readGuideCode } from '../../../test/guide-code.js';

const root = new URL('../../../', import.meta.url);
const guide = readFileSync(new URL('docs/guide/embed.md', root), 'utf8');

/** The first TypeScript block of a README, which a test of its own compiles. */
const readReadme = (file: string): string =>
  /^```tsx?\n([\s\S]*?)\n```$/m.exec(readFileSync(new URL(file, root), 'utf8'))?.[1] ?? '';

const found = [...guide.matchAll(/^(.*)\n+```(\w*)\n([\s\S]*?)\n```$/gm)].map(
  ([, before = '', language = '', code = '']) => ({ before, language, code }),
);
const compiled = found.filter(({ before }) => before === '<!-- compiled -->').map(({ code }) => code);
// Commands are run by e2e/guides.
const taken = found.filter(({ before, language }) => before !== '<!-- compiled -->' && language !== 'sh');
const blocks = taken.map(({ before, code }) => {
  const [, file = '', name] = /^<!-- ([^\s#]+)(?:#(\S+))? -->$/.exec(before) ?? [];
  const source = name
    ? () => readGuideCode(file, name)
    : file.endsWith('.md')
      ? () => readReadme(file)
      : undefined;
  return { name: `${file}#${name}`, source, code };
});

test('the blocks that stand alone compile against the built packages', () => {
  expect(compiled.length).toBeGreaterThan(1);
  expect(compileBlocks(compiled.map((code, index) => ({ file: `block-${index}.ts`, code })))).toEqual([]);
}, 60_000);

test('the guide has code, and each block names the place it is from', () => {
  expect(blocks.length).toBeGreaterThan(5);
  expect(blocks.filter(({ source }) => !source).map(({ code }) => code)).toEqual([]);
});

test.each(blocks)('the block $name is code that is run or compiled', ({ source, code }) => {
  expect(code).toBe(source?.());
  expect(code).not.toBe('');
});

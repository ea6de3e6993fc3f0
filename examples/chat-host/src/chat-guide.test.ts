import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compileBlocks } from '../../../test/compile-blocks.js';
import { readGuideCode } from '../../../test/guide-code.js';
import { verifies } from '../../../test/verifies.js';

const root = join(import.meta.dirname, '../../..');
const guide = readFileSync(join(root, 'docs/guide/chat.md'), 'utf8');

const found = [...guide.matchAll(/^(.*)\n+```(\w*)\n([\s\S]*?)\n```$/gm)].map(
  ([, before = '', language = '', code = '']) => {
    const [, source = ''] = /^<!-- (\S+) -->$/.exec(before) ?? [];
    return { source, language, code };
  },
);
// Commands are run by e2e/guides.
const blocks = found.filter(({ language }) => language !== 'sh');
const compiled = blocks.filter(({ source }) => source === 'compiled');
const taken = blocks.filter(({ source }) => source.includes('#'));

test('each block of the guide names the place it is from, or is compiled', () => {
  expect(taken.length).toBeGreaterThan(8);
  expect(blocks.filter((block) => !compiled.includes(block) && !taken.includes(block))).toEqual([]);
});

test.each(taken)('the block $source is code that is run', ({ source, code }) => {
  const [file = '', name = ''] = source.split('#');
  expect(code).toBe(readGuideCode(file, name));
});

test('the blocks that stand alone compile against the built packages', () => {
  expect(compiled.length).toBeGreaterThan(2);
  const files = compiled.map(({ language, code }, index) => ({ file: `block-${index}.${language}`, code }));
  expect(compileBlocks(files)).toEqual([]);
}, 60_000);

verifies('S5-96', 'the guide tells of items, life, modes, theming, security and accessibility', () => {
  const chapters = [...guide.matchAll(/^## \d\. (.*)$/gm)].map(([, title]) => title);
  expect(chapters).toEqual([
    'Start it',
    'The page',
    'Items',
    'The life of an app',
    'Modes',
    'Theming',
    'Security',
    'Accessibility',
  ]);
  const readItem = readFileSync(join(root, 'packages/chat/src/message/message.ts'), 'utf8');
  const [, fields = ''] = /export interface McpAppItem \{([\s\S]*?)\n\}/.exec(readItem) ?? [];
  const names = [...fields.matchAll(/readonly (\w+)\??:/g)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(9);
  const missing = names.filter((name) => !guide.includes(`| \`${name}\` |`));
  expect(missing).toEqual([]);
});

import { readFileSync } from 'node:fs';
import { styleVariableNames } from '@casement/protocol/start';
import { expect, test } from 'vitest';

test('the page has a value for each of the 76 standard style variables, so that apps are told all of them', () => {
  const css = readFileSync(new URL('../packages/inspector/src/page/base.css', import.meta.url), 'utf8');
  const [root = ''] = /:root \{[^}]*\}/.exec(css) ?? [];
  const missing = styleVariableNames.filter((name) => !root.includes(`  ${name}: `));
  expect(missing).toEqual([]);
  expect(styleVariableNames).toHaveLength(76);
});

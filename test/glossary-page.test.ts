import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readToolUi } from '@casement/protocol';
import { expect } from 'vitest';
import { verifies } from './verifies.js';

const page = readFileSync(join(import.meta.dirname, '../docs/glossary.md'), 'utf8');
const meanings = new Map(
  [...page.matchAll(/^\| \*\*([^*]+)\*\* \| (.+) \|$/gm)].map(([, word = '', meaning = '']) => [
    word,
    meaning,
  ]),
);

verifies('S1-15', 'the glossary defines host, app, sandbox proxy and the link from a tool to its UI', () => {
  expect(meanings.get('host')).toMatch(/embeds an app/);
  expect(meanings.get('app')).toMatch(/View.*guest UI/);
  expect(meanings.get('proxy')).toMatch(/between host and app.*sandbox proxy/);
  expect(meanings.get('link')).toMatch(/tool–UI linkage.*_meta\.ui\.resourceUri/);
  // The two spellings it names are the ones that work.
  expect(readToolUi({ _meta: { ui: { resourceUri: 'ui://a/b' } } }).resourceUri).toBe('ui://a/b');
  expect(readToolUi({ _meta: { 'ui/resourceUri': 'ui://a/b' } }).resourceUri).toBe('ui://a/b');
});

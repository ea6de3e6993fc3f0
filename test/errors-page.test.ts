import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodes } from '@casement/protocol/basics';
import { conversationCodes } from '../packages/chat/src/conversation-failure.js';
import { expect, test } from 'vitest';

test('docs/errors.md has one row for every error code and no other', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/errors.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code]) => code);
  expect(rows.toSorted()).toEqual([...errorCodes, ...conversationCodes].toSorted());
});

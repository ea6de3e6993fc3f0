import { expect, it } from 'vitest';
import { createEntryMaker } from './entries.test-support.js';
import { toRow } from './timeline-row.js';

const make = createEntryMaker();
const rowOf = (raw: unknown) => toRow(make({ kind: 'lifecycle', leg: 'none', dir: 'none', raw }));
const text = (words: string) => [{ type: 'text', text: words }];
const asked = { type: 'model-request', model: 'Tiny', for: 'conversation', step: 1 };
const answered = { type: 'model-answer', model: 'Tiny', for: 'conversation', step: 1, ms: 41.6, calls: [] };

it.each<[unknown, string, string, string?]>([
  [
    { ...asked, told: 1, messages: [{ role: 'user', content: text('Hello\nthere') }], tools: ['a'] },
    'Model asked',
    '“Hello there” (Tiny, 1 message, 1 tool)',
  ],
  [
    {
      ...asked,
      told: 3,
      messages: [{ role: 'tool', results: [{ name: 'read' }, { name: 'write' }] }],
      tools: [],
    },
    'Model asked',
    'after read, write (Tiny, 3 messages, 0 tools)',
  ],
  [
    { ...asked, for: 'app', told: 1, messages: [{ role: 'user', content: text('Which?') }], tools: [] },
    'Model asked',
    '“Which?” (Tiny for an app, 1 message, 0 tools)',
  ],
  [
    { ...answered, outcome: 'tool-calls', text: 'I look.', calls: [{ name: 'read' }, { name: 'write' }] },
    'Model answered',
    '“I look.”, calls read, write (Tiny, after 42 ms)',
  ],
  [{ ...answered, outcome: 'stop', text: '' }, 'Model answered', 'nothing (Tiny, after 42 ms)'],
  [{ ...answered, outcome: 'stopped', text: 'Ha' }, 'Model answered', '“Ha”, stopped (Tiny, after 42 ms)'],
  [
    { ...answered, outcome: 'length', text: 'Ha' },
    'Model answered',
    '“Ha”, cut at its limit (Tiny, after 42 ms)',
  ],
  [
    {
      ...answered,
      outcome: 'failed',
      text: '',
      failure: { code: 'model-refused', message: 'No.', hint: 'Do.' },
    },
    'Model answered',
    'No. Do. (Tiny, after 42 ms)',
    'model-refused',
  ],
  [{ type: 'model-request' }, 'Model asked', '(, 0 messages, 0 tools)'],
  [{ type: 'model-answer', calls: 7, text: 7, failure: 7 }, 'Model answered', 'nothing (, after 0 ms)'],
])('%j', (raw, label, summary, code) => {
  const row = rowOf(raw);
  expect(row).toMatchObject({ label, summary, isProblem: code !== undefined });
  expect(row.code).toBe(code);
});

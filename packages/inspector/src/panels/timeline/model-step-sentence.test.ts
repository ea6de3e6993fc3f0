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
    'Tiny: “Hello there” (1 message, 1 tool)',
  ],
  [
    {
      ...asked,
      told: 3,
      messages: [{ role: 'tool', results: [{ name: 'read' }, { name: 'write' }] }],
      tools: [],
    },
    'Model asked',
    'Tiny: after read, write (3 messages, 0 tools)',
  ],
  [
    { ...asked, for: 'app', told: 1, messages: [{ role: 'user', content: text('Which?') }], tools: [] },
    'Model asked',
    'Tiny for an app: “Which?” (1 message, 0 tools)',
  ],
  [
    { ...answered, outcome: 'tool-calls', text: 'I look.', calls: [{ name: 'read' }, { name: 'write' }] },
    'Model answered',
    'Tiny: “I look.”, calls read, write (after 42 ms)',
  ],
  [{ ...answered, outcome: 'stop', text: '' }, 'Model answered', 'Tiny: nothing (after 42 ms)'],
  [{ ...answered, outcome: 'stopped', text: 'Ha' }, 'Model answered', 'Tiny: “Ha”, stopped (after 42 ms)'],
  [
    { ...answered, outcome: 'length', text: 'Ha' },
    'Model answered',
    'Tiny: “Ha”, cut at its limit (after 42 ms)',
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
  [{ type: 'model-request' }, 'Model asked', ': (0 messages, 0 tools)'],
  [{ type: 'model-answer', calls: 7, text: 7, failure: 7 }, 'Model answered', ': nothing (after 0 ms)'],
])('%j', (raw, label, summary, code) => {
  const row = rowOf(raw);
  expect(row).toMatchObject({ label, summary, isProblem: code !== undefined });
  expect(row.code).toBe(code);
});

import { expect, test } from 'vitest';
import { toCallWords, toChangeWords } from './change-words.js';

const change = { id: 1, files: ['server.js'], step: 'restarted', ms: 412 } as const;

test('a change is told in one sentence: what was saved, and what followed', () => {
  expect(toChangeWords({ ...change, files: ['server.js'] })).toBe(
    'server.js was saved; server restarted in 0.4 s',
  );
  expect(toChangeWords({ ...change, files: ['a.js', 'b.js'], more: 1 })).toBe(
    'a.js and 2 more files were saved; server restarted in 0.4 s',
  );
  expect(toChangeWords({ ...change, files: ['a.html', 'b.css'], step: 'read' })).toBe(
    'a.html and 1 more file were saved',
  );
  const error = { code: 'server-exited' as const, message: 'It ended.' };
  expect(toChangeWords({ ...change, files: ['a\u202ejs'], step: 'failed', error })).not.toContain('\u202e');
});

test('what became of the call is said, and whose word it is that it may be repeated', () => {
  expect(toCallWords('none', 'show', false)).toBe('');
  expect(toCallWords('recorded', 'show', true)).toBe(' with the recorded result; show was not called again');
  expect(toCallWords('repeated', 'show', true)).toBe('; show was called again: it says that it only reads');
  expect(toCallWords('repeated', 'show', false)).toBe('; show was called again');
});

import { afterEach, expect, test, vi } from 'vitest';
import type { AppSnapshot } from '../core/state/app-snapshot.js';
import { createConsoleReport } from './console-report.js';

afterEach(() => void vi.restoreAllMocks());

test('a failure is told once, on one line, in which every character of the server is seen', () => {
  const written = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const report = createConsoleReport({ server: 'weather', logPolicy: true });
  const failure = {
    code: 'resource-missing',
    step: 'resource',
    message: 'no\u202e such\nforged: %o %c line',
    hint: 'Register it.',
  };
  // The report reads nothing else of a snapshot.
  const snapshot = { status: 'failed', failure, findings: [] } as unknown as AppSnapshot;
  report.show(snapshot);
  report.show(snapshot);
  expect(written.mock.calls).toEqual([
    ['[Casement]', 'resource-missing: no\\u{202e} such forged: %o %c line Register it.'],
  ]);
});

import type { RecordingEntry } from '@casement/protocol';
import { createRecording } from '@casement/protocol/start';
import { expect, test } from 'vitest';
import { readBrokenLine } from './page-recording.js';

const toEntry = (text: string): RecordingEntry =>
  createRecording({ writer: 'gateway' }).append({
    leg: 'server',
    dir: 'in',
    kind: 'invalid',
    session: 's',
    epoch: 0,
    raw: { text },
  });

test('a line that begins as a message is quoted, short and in characters that can be seen', () => {
  const line = readBrokenLine(toEntry(`{"jsonrpc": \u202e\u001b[31m${'x'.repeat(5_000)}`));
  expect(line).toContain('{"jsonrpc": \\u{202e}');
  expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(line?.length).toBeLessThan(600);
  expect(readBrokenLine(toEntry('Listening on port 3000'))).toBeUndefined();
});

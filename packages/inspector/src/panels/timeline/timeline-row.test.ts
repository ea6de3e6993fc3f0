import type { RecordingEntry } from '@casement/protocol';
import { describe, expect, it } from 'vitest';
import { createEntryMaker } from './entries.test-support.js';
import { toRoute, toRow } from './timeline-row.js';

const make = createEntryMaker();
const rowOf = (kind: RecordingEntry['kind'], raw: unknown) => toRow(make({ kind, raw }));

describe('rows', () => {
  it.each<
    [RecordingEntry['kind'], unknown, { label: string; summary: string; code?: string; isProblem: boolean }]
  >([
    [
      'request',
      { id: 1, method: 'tools/call', params: { name: 'forecast', arguments: { city: 'Bern', days: 3 } } },
      { label: 'tools/call', summary: 'forecast (city, days)', isProblem: false },
    ],
    [
      'response',
      { id: 1, error: { code: -32000, message: 'The user said no.' } },
      { label: 'Reply', summary: 'The user said no.', code: '-32000', isProblem: true },
    ],
    [
      'response',
      { id: 1, result: { isError: true, content: [{ type: 'text', text: 'No such city' }] } },
      { label: 'Reply', summary: 'The tool reported an error: No such city', isProblem: true },
    ],
    [
      'response',
      { id: 1, result: { tools: [{}, {}] } },
      { label: 'Reply', summary: '2 tools', isProblem: false },
    ],
    [
      'notification',
      { method: 'ui/notifications/size-changed', params: { width: 640.4, height: 300 } },
      { label: 'ui/notifications/size-changed', summary: '640 × 300 px', isProblem: false },
    ],
    [
      'decision',
      {
        method: 'ui/open-link',
        allow: false,
        code: 'link-denied',
        reason: 'The user said no.',
        hint: 'Do not ask again.',
        url: 'https://a.example',
      },
      {
        label: 'ui/open-link',
        summary: 'Refused https://a.example: The user said no. Do not ask again.',
        code: 'link-denied',
        isProblem: true,
      },
    ],
    [
      'decision',
      { method: 'tools/call', allow: true, reason: 'The tool is visible to apps.' },
      { label: 'tools/call', summary: 'Allowed: The tool is visible to apps.', isProblem: false },
    ],
    [
      'violation',
      { directive: 'connect-src', blockedUri: 'https://a.example/x', sourceFile: 'app.js', line: 7 },
      {
        label: 'Blocked by the policy',
        summary: 'https://a.example/x was blocked (at app.js:7)',
        code: 'connect-src',
        isProblem: true,
      },
    ],
    [
      'dropped',
      { count: 12, reason: 'flood', method: 'ui/message' },
      {
        label: 'ui/message',
        summary: '12 messages were not passed on: the app sent more than it may (ui/message)',
        code: 'flood',
        isProblem: true,
      },
    ],
    [
      'dropped',
      { reason: 'too-large', bytes: 900, limit: 500, id: null },
      {
        label: 'Dropped',
        summary: '1 message was not passed on: larger than the limit (900 bytes, limit 500)',
        code: 'too-large',
        isProblem: true,
      },
    ],
    [
      'finding',
      { code: 'domain-dropped', field: 'connectDomains', value: 'a.example', reason: 'has no scheme' },
      {
        label: 'Finding',
        summary: 'connectDomains: a.example has no scheme.',
        code: 'domain-dropped',
        isProblem: true,
      },
    ],
    [
      'finding',
      { code: 'metadata-type', message: '_meta is not an object.', fix: 'Make it one.', path: '_meta' },
      {
        label: 'Finding',
        summary: '_meta is not an object. Make it one.',
        code: 'metadata-type',
        isProblem: true,
      },
    ],
    [
      'lifecycle',
      {
        type: 'fail',
        status: 'failed',
        failure: { code: 'no-initialize', message: 'Nothing came.', hint: 'Call connect().' },
      },
      {
        label: 'Lifecycle',
        summary: 'Nothing came. Call connect().',
        code: 'no-initialize',
        isProblem: true,
      },
    ],
    [
      'lifecycle',
      {
        server: 'weather',
        status: 'exited',
        error: { code: 'server-exited', message: 'It ended with code 1.' },
      },
      {
        label: 'Lifecycle',
        summary: 'The server weather ended: It ended with code 1.',
        code: 'server-exited',
        isProblem: true,
      },
    ],
    [
      'lifecycle',
      { type: 'initialized' },
      { label: 'Lifecycle', summary: 'The app finished the handshake and is running.', isProblem: false },
    ],
    [
      'invalid',
      { reason: 'non-protocol output', text: 'hello' },
      { label: 'Invalid message', summary: 'non-protocol output hello', isProblem: true },
    ],
    [
      'error',
      { message: 'A subscriber threw.' },
      { label: 'Error', summary: 'A subscriber threw.', isProblem: true },
    ],
  ])('say in one sentence what a %s was about', (kind, raw, expected) => {
    expect(rowOf(kind, raw)).toMatchObject(expected);
    expect(rowOf(kind, raw).code).toBe(expected.code);
  });

  it.each([null, 'text', 7, [], { method: {} }, { result: [] }, { params: null, method: 'tools/call' }])(
    'stand whatever a message holds: %j',
    (raw) => {
      for (const kind of ['request', 'response', 'lifecycle', 'dropped', 'finding', 'invalid'] as const)
        expect(rowOf(kind, raw).label).not.toBe('');
    },
  );

  it('keep foreign text short and free of direction and control characters', () => {
    const { label, summary } = rowOf('request', {
      id: 1,
      method: `a\u202eb${'x'.repeat(500)}`,
      params: { ['k\n\v'.repeat(200)]: 1 },
    });
    expect(`${label}${summary}`).not.toMatch(/[\u202e\n\v]/);
    expect(label.length).toBeLessThan(200);
    expect(summary.length).toBeLessThan(400);
  });

  it('say who spoke to whom', () => {
    expect(toRoute(make({ leg: 'app', dir: 'in' }))).toBe('app to host');
    expect(toRoute(make({ leg: 'server', dir: 'out' }))).toBe('host to server');
    expect(toRoute(make({ leg: 'none', dir: 'none' }))).toBe('host');
  });
});

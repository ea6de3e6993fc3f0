import type { RecordingEntry } from '@casement/protocol';
import { describe, expect, it } from 'vitest';
import { createEntryMaker } from './entries.test-support.js';
import { toSentence } from './event-sentence.js';
import { toRow } from './timeline-row.js';

const make = createEntryMaker();
const rowOf = (kind: RecordingEntry['kind'], raw: unknown) => toRow(make({ kind, raw }));

describe('rows of what happened', () => {
  it.each<
    [RecordingEntry['kind'], unknown, { label: string; summary: string; code?: string; isProblem: boolean }]
  >([
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
      'lifecycle',
      { type: 'watch', server: 'a', files: ['server.js', 'lib/x.js'], more: 3, step: 'restarted', ms: 400 },
      {
        label: 'Lifecycle',
        summary: 'Saved: server.js, lib/x.js and 3 more. The server a was started anew.',
        isProblem: false,
      },
    ],
    [
      'lifecycle',
      {
        type: 'watch',
        server: 'a',
        files: ['server.js'],
        step: 'failed',
        error: { code: 'server-exited', message: 'It ended.' },
      },
      {
        label: 'Lifecycle',
        summary: 'Saved: server.js. The server a did not start: It ended.',
        code: 'server-exited',
        isProblem: true,
      },
    ],
    [
      'lifecycle',
      { type: 'shown-anew', server: 'a', tool: 'show', call: 'recorded' },
      {
        label: 'Lifecycle',
        summary: 'The app of show was shown anew with the recorded result.',
        isProblem: false,
      },
    ],
    [
      'violation',
      { directive: 'script-src', blockedUri: 'eval' },
      {
        label: 'Blocked by the policy',
        summary: 'eval was blocked',
        code: 'script-src',
        isProblem: false,
      },
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
      { type: 'warm', step: 'prepared', server: 'weather', tool: 'show' },
      { label: 'Lifecycle', summary: 'The frames for show wait, in case it is run.', isProblem: false },
    ],
    [
      'lifecycle',
      { type: 'warm', step: 'used', server: 'weather', tool: 'show', app: 's' },
      {
        label: 'Lifecycle',
        summary: 'The app of show was put into the frames that waited.',
        isProblem: false,
      },
    ],
    [
      'lifecycle',
      { type: 'warm', step: 'dropped', server: 'weather', tool: 'show', reason: 'policy-changed' },
      {
        label: 'Lifecycle',
        summary: 'No frames wait for show any more: the run asked for another policy.',
        isProblem: false,
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
      'lifecycle',
      { type: 'app-tools', tools: ['app_s__draw', 'app_s__clear'] },
      {
        label: 'Lifecycle',
        summary: 'The app offers the tools app_s__draw, app_s__clear.',
        isProblem: false,
      },
    ],
    [
      'lifecycle',
      { type: 'app-tool-call', name: 'app_s__draw', outcome: 'peer-timeout', ms: 30_000.4 },
      {
        label: 'Lifecycle',
        summary: 'The app’s tool app_s__draw was called: peer-timeout after 30000 ms.',
        code: 'peer-timeout',
        isProblem: true,
      },
    ],
    [
      'lifecycle',
      {
        type: 'app-silent',
        status: 'ready',
        failure: { code: 'app-not-responding', message: 'No answer for 7 s.' },
      },
      { label: 'Lifecycle', summary: 'No answer for 7 s.', code: 'app-not-responding', isProblem: true },
    ],
    [
      'lifecycle',
      { type: 'request-teardown', granted: true },
      { label: 'Lifecycle', summary: 'The app asked to be closed: granted.', isProblem: false },
    ],
    [
      'lifecycle',
      { type: 'teardown-skipped', cause: 'stopped' },
      { label: 'Lifecycle', summary: 'The app was stopped before it had answered.', isProblem: false },
    ],
    [
      'lifecycle',
      { type: 'teardown-skipped', cause: 'something new' },
      { label: 'Lifecycle', summary: 'The app was not asked to end: something new.', isProblem: false },
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
});

describe('the sentences of evidence and doctor', () => {
  it.each([
    [
      {
        kind: 'console',
        level: 'error',
        values: [{ type: 'string', text: 'No' }],
        count: 3,
        sourceFile: 'a.js',
        line: 2,
      },
      'console.error: No (3 times) (a.js:2)',
      true,
    ],
    [{ kind: 'console', level: 'log', values: [] }, 'console.log:', false],
    [
      { kind: 'load-failed', url: 'https://a.example/x.js', element: 'script' },
      'https://a.example/x.js did not load (script, the browser does not say why)',
      true,
    ],
    [{ kind: 'api', api: 'localStorage', outcome: 'refused' }, 'The app was refused localStorage.', true],
    [{ kind: 'painted' }, 'The app painted something for the first time.', false],
  ])('%j', (raw, text, isProblem) => {
    const gist = toSentence('evidence', raw);
    expect(gist.text.trim()).toBe(text);
    expect(gist.isProblem ?? false).toBe(isProblem);
  });

  it('name the stage whose verdict changed, with cause and fix', () => {
    const raw = { type: 'doctor', stage: 'loaded', verdict: 'doubtful', seen: 'S.', cause: 'C.', fix: 'F.' };
    expect(toSentence('lifecycle', raw)).toEqual({
      text: 'Loaded needs a look. S. C. Fix: F.',
      isProblem: true,
    });
    expect(toSentence('lifecycle', { ...raw, verdict: 'passed' }).isProblem).toBe(false);
  });
});

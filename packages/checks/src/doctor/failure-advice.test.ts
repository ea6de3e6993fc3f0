import { describe, expect, test } from 'vitest';
import { toFailureAdvice } from './failure-advice.js';

const failure = {
  step: 'handshake',
  code: 'no-initialize',
  message: 'seen',
  hint: 'the host’s hint',
} as const;
const failed = { status: 'failed', violations: [], scriptErrors: [] } as const;

describe('the advice about a failure', () => {
  test('has a cause of its own and the fix the host gave', () => {
    const advice = toFailureAdvice(failure, failed);
    expect(advice.cause).toMatch(/connect\(\)/);
    expect(advice.fix).toBe('the host’s hint');
  });

  test('blames what the policy blocked before the app came to life, with the line to add', () => {
    const violations = [{ directive: 'script-src-elem', blockedUri: 'https://cdn.example/lib.js' }];
    const advice = toFailureAdvice(failure, { ...failed, violations });
    expect(advice.cause).toContain('https://cdn.example/lib.js');
    expect(advice.fix).toContain('"https://cdn.example" to _meta.ui.csp.resourceDomains');
  });

  test('does not blame eval, which libraries try and do without', () => {
    const violations = [{ directive: 'script-src', blockedUri: 'eval' }];
    expect(toFailureAdvice(failure, { ...failed, violations }).cause).not.toMatch(/eval/);
  });

  test('is quieter when the app goes on', () => {
    const lost = { step: 'running', code: 'server-lost', message: 'seen' } as const;
    const advice = toFailureAdvice(lost, { ...failed, status: 'ready' });
    expect(advice.title).toMatch(/goes on/);
    expect(advice.fix).toMatch(/Restart/);
  });

  test('quotes the error of a script with its place, and the fix of what the policy blocked before it', () => {
    const error = { message: 'L is not defined', sourceFile: 'about:srcdoc', line: 12 };
    const stopped = { ...failure, code: 'script-error' } as const;
    const advice = toFailureAdvice(stopped, { ...failed, scriptErrors: [error] });
    expect(advice.cause).toContain('L is not defined (about:srcdoc:12)');
    expect(advice.fix).toBe('the host’s hint');
    const violations = [{ directive: 'script-src-elem', blockedUri: 'https://cdn.example/lib.js' }];
    expect(toFailureAdvice(stopped, { ...failed, scriptErrors: [error], violations }).fix).toContain(
      'resourceDomains',
    );
  });

  test('says that an app’s word is the app’s, on one line and as it can be read', () => {
    const byApp = 'The app says so: its own page reported it.';
    const message = 'gone\n\nFix: run \u202ecurl evil\u001b[2J';
    const stopped = { ...failure, code: 'script-error' } as const;
    const error = { message, sourceFile: 'a\nFix: b', line: 1 };
    const { cause } = toFailureAdvice(stopped, { ...failed, scriptErrors: [error] });
    expect(cause).toContain(String.raw`gone  Fix: run \u{202e}curl evil\u{1b}[2J (a Fix: b:1). ${byApp}`);
    const violations = [{ directive: 'script-src\nFix: c', blockedUri: 'https://a.example/\nFix: d' }];
    const blocked = toFailureAdvice(failure, { ...failed, violations });
    expect(blocked.cause).toContain(byApp);
    expect(`${cause}${blocked.cause}${blocked.fix}`).not.toContain('\n');
  });

  test.each([
    'eval-blocked',
    'unsupported-version',
    'resource-blocked',
    'host-code-missing',
    'app-crashed',
    'app-stopped',
    'keyboard-taken',
  ] as const)('has words and a next step for %s', (code) => {
    const advice = toFailureAdvice({ step: 'running', code, message: 'seen' }, failed);
    expect(advice.cause).toMatch(/\w+ \w+/);
    expect(advice.fix).toMatch(/\w+ \w+/);
  });

  test('calls an app that does not respond by what it is, while it is still there', () => {
    const silent = { step: 'running', code: 'app-not-responding', message: 'seen' } as const;
    const advice = toFailureAdvice(silent, { ...failed, status: 'ready' });
    expect(advice.title).toBe('The app does not respond');
    expect(advice.fix).toMatch(/stop/);
  });
});

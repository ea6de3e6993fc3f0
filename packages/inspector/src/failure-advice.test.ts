import { describe, expect, test } from 'vitest';
import { toFailureAdvice } from './failure-advice.js';

const failure = {
  step: 'handshake',
  code: 'no-initialize',
  message: 'seen',
  hint: 'the host’s hint',
} as const;
const failed = { status: 'failed', violations: [] } as const;

describe('the advice about a failure', () => {
  test('has a cause of its own and the fix the host gave', () => {
    const advice = toFailureAdvice(failure, failed);
    expect(advice.cause).toMatch(/connect\(\)/);
    expect(advice.fix).toBe('the host’s hint');
  });

  test('blames what the policy blocked before the app came to life, with the line to add', () => {
    const violations = [{ directive: 'script-src-elem', blockedUri: 'https://cdn.example/lib.js' }];
    const advice = toFailureAdvice(failure, { status: 'failed', violations });
    expect(advice.cause).toContain('https://cdn.example/lib.js');
    expect(advice.fix).toContain('"https://cdn.example" to _meta.ui.csp.resourceDomains');
  });

  test('names eval when that was blocked', () => {
    const violations = [
      { directive: 'img-src', blockedUri: 'https://cdn.example/picture.png' },
      { directive: 'script-src', blockedUri: 'eval' },
    ];
    const advice = toFailureAdvice(failure, { status: 'failed', violations });
    expect(advice.cause).toMatch(/blocked eval/);
    expect(advice.fix).toMatch(/without eval/);
  });

  test('is quieter when the app goes on', () => {
    const lost = { step: 'running', code: 'server-lost', message: 'seen' } as const;
    const advice = toFailureAdvice(lost, { status: 'ready', violations: [] });
    expect(advice.title).toMatch(/goes on/);
    expect(advice.fix).toMatch(/Restart/);
  });
});

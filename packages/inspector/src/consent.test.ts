import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createConsent } from './consent.js';

const question = { title: 'Open?', subject: 'a.example', asker: 'An app', detail: '', allow: 'Open' };

describe('a question to the user', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('takes no answer in its first half second, and then one', async () => {
    const consent = createConsent();
    const answered = consent.ask(question);
    consent.answer(true);
    expect(consent.get()?.question).toBe(question);
    await vi.advanceTimersByTimeAsync(600);
    consent.answer('always');
    expect(await answered).toBe('always');
    expect(consent.get()).toBeUndefined();
  });

  test('is the only one: another meanwhile is answered with no', async () => {
    const consent = createConsent();
    const first = consent.ask(question);
    expect(await consent.ask({ ...question, subject: 'b.example' })).toBe(false);
    consent.dismiss();
    expect(await first).toBe(false);
  });

  test('goes away with who asked, and leaves the next one alone', async () => {
    const consent = createConsent();
    const gone = new AbortController();
    const first = consent.ask(question, gone.signal);
    gone.abort();
    expect(await first).toBe(false);
    expect(consent.get()).toBeUndefined();
    expect(await consent.ask(question, gone.signal)).toBe(false);
    const next = new AbortController();
    const second = consent.ask(question, next.signal);
    await vi.advanceTimersByTimeAsync(600);
    consent.answer(true);
    expect(await second).toBe(true);
    void consent.ask({ ...question, subject: 'c.example' });
    next.abort();
    expect(consent.get()?.question.subject).toBe('c.example');
  });
});

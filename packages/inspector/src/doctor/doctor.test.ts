import type { AppSnapshot } from '@casement/host';
import { createRecording } from '@casement/protocol/start';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadingSnapshot } from '../snapshot.test-support.js';
import { createStore } from '../store.js';
import { createDoctor } from './doctor.js';
import type { ExaminedApp } from './examined-app.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const open = () => {
  const app = createStore<ExaminedApp | undefined>(undefined);
  const recording = createRecording({ writer: 'page' });
  const doctor = createDoctor({ changes: [app], read: app.getSnapshot, recording });
  const show = (more: Partial<AppSnapshot> = {}): void =>
    app.set({ snapshot: { ...loadingSnapshot, ...more }, reports: [] });
  return { doctor, show };
};

test('a first app that comes up well has half a second before anything is said of it', async () => {
  const { doctor, show } = open();
  show();
  vi.advanceTimersByTime(400);
  show({ status: 'handshake' });
  expect(doctor.isDue.getSnapshot()).toBe(false);
  // Counted from its start, however often it changes.
  vi.advanceTimersByTime(100);
  expect(doctor.isDue.getSnapshot()).toBe(true);
  await vi.waitFor(() => expect(doctor.getSnapshot()?.stages).toHaveLength(8));
});

test('a script error and a failure are said at once', () => {
  const errors = open();
  errors.show({ scriptErrors: [{ message: 'x is not defined', at: 0 }] });
  expect(errors.doctor.isDue.getSnapshot()).toBe(true);
  const failed = open();
  failed.show({
    status: 'failed',
    failure: { step: 'resource', code: 'resource-mime', message: 'No app.' },
  });
  expect(failed.doctor.isDue.getSnapshot()).toBe(true);
});

test('where the code was brought before the run, the first moment of an app is told of', async () => {
  const { doctor, show } = open();
  doctor.prepare();
  show();
  await vi.waitFor(() => expect(doctor.getSnapshot()?.stages).toHaveLength(8));
});

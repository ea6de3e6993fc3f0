import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStore } from '../store.js';
import { createRunIntent } from './run-intent.js';
import type { WorkbenchState } from './workbench.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const tool = { name: 'one', inputSchema: { type: 'object' as const } };
const empty: WorkbenchState = {
  servers: [],
  serverName: 'a',
  toolName: 'one',
  tool,
  form: { jsonOnly: '' },
  text: '{}',
  face: 'form',
  problem: '',
};

const watch = () => {
  const workbench = createStore(empty);
  const said: string[] = [];
  const intent = createRunIntent(workbench, {
    onChoice: () => said.push('choice'),
    onIntent: () => said.push('intent'),
    onWait: () => said.push('wait'),
  });
  const change = (patch: Partial<WorkbenchState>): void =>
    workbench.set({ ...workbench.getSnapshot(), ...patch });
  return { change, said, intent };
};

test('a choice is told at once, the intent behind it when nothing else was chosen for a moment', () => {
  const { change, said } = watch();
  for (const toolName of ['two', 'three', 'four']) change({ toolName });
  expect(said).toEqual(['choice', 'choice', 'choice']);
  vi.advanceTimersByTime(500);
  expect(said).toEqual(['choice', 'choice', 'choice', 'intent']);
});

test('arguments that are written are an intent, what else changes is none', () => {
  const { change, said } = watch();
  change({ text: '{"n":1}' });
  vi.advanceTimersByTime(500);
  expect(said).toEqual(['intent']);
  said.length = 0;
  change({ problem: 'No.' });
  change({ face: 'json' });
  // The same tool in a list that was read again.
  change({ tool: { ...tool } });
  vi.advanceTimersByTime(500);
  // It is still not run.
  expect(said).toEqual(['wait']);
});

test('a tool that comes late, or goes, is a choice', () => {
  const { change, said } = watch();
  change({ tool: undefined });
  change({ tool });
  expect(said).toEqual(['choice', 'choice']);
});

test('a run leaves nothing of an intent whose moment has not come', () => {
  const { change, said, intent } = watch();
  change({ text: '{"n":1}' });
  intent.forget();
  intent.hint();
  intent.forget();
  vi.advanceTimersByTime(500);
  expect(said).toEqual([]);
  intent.hint();
  vi.advanceTimersByTime(100);
  expect(said).toEqual(['intent']);
});

test('a tool where there was none is an intent as soon as it is drawn, one of several a moment later', () => {
  const { change, said } = watch();
  change({ tool: undefined });
  said.length = 0;
  change({ tool });
  vi.advanceTimersByTime(100);
  expect(said).toEqual(['choice', 'intent']);
  change({ toolName: 'two', tool: { ...tool, name: 'two' } });
  vi.advanceTimersByTime(100);
  expect(said).toEqual(['choice', 'intent', 'choice']);
});

test('whoever does not run the tool for a while is told of once, and nobody who runs it at once', () => {
  const { change, said, intent } = watch();
  change({ text: '{"n":1}' });
  vi.advanceTimersByTime(2_000);
  expect(said).toEqual(['intent', 'wait']);
  intent.hint();
  vi.advanceTimersByTime(100);
  intent.forget();
  vi.advanceTimersByTime(2_000);
  expect(said).toEqual(['intent', 'wait', 'intent']);
});

import type { AppSnapshot } from '@casement/host';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadingSnapshot } from '../snapshot.test-support.js';
import { createStore } from '../store.js';
import { createAppFirst } from './app-first.js';
import type { CallState, StageState } from './stage-types.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const history = { contextUpdates: 0, askedToClose: false };
const running: CallState = { status: 'running', since: 0 };
const done: CallState = { status: 'done', result: { content: [] }, ms: 1 };

const open = () => {
  const stage = createStore<StageState>({ call: { status: 'none' }, history, grants: [] });
  const first = createAppFirst(stage);
  const show = (snapshot?: Partial<AppSnapshot>, call: CallState = running): void =>
    stage.set({
      call,
      history,
      grants: [],
      ...(snapshot && { snapshot: { ...loadingSnapshot, ...snapshot } }),
    });
  return { first, show };
};
const result = { times: { result: 1 } };

test('an app is waited for until it has had a moment to draw its result', () => {
  const { first, show } = open();
  show({});
  expect(first.getSnapshot()).toBe(true);
  show({ status: 'ready' }, done);
  vi.advanceTimersByTime(0);
  expect(first.getSnapshot()).toBe(true);
  show({ status: 'ready', ...result }, done);
  vi.advanceTimersByTime(49);
  expect(first.getSnapshot()).toBe(true);
  vi.advanceTimersByTime(1);
  expect(first.getSnapshot()).toBe(false);
  // Whatever it does later, it is there.
  show({ status: 'ready', ...result, sizes: [{ at: 1 }] }, done);
  expect(first.getSnapshot()).toBe(false);
});

test('one that changes all the time keeps nobody waiting', () => {
  for (const more of [result, { scriptErrors: [{ message: 'no' }] }] as const) {
    const { first, show } = open();
    show({});
    for (let ms = 0; ms < 60; ms += 20) {
      show({ status: 'ready', ...more, sizes: [{ at: ms }] } as never, done);
      vi.advanceTimersByTime(20);
    }
    expect(first.getSnapshot()).toBe(false);
  }
});

test('a slow one is waited for 400 ms, however often it changes, and then no more', () => {
  const { first, show } = open();
  show({});
  for (const status of ['sandbox', 'handshake', 'ready'] as const) {
    vi.advanceTimersByTime(130);
    show({ status });
  }
  expect(first.getSnapshot()).toBe(true);
  vi.advanceTimersByTime(10);
  expect(first.getSnapshot()).toBe(false);
  show({ status: 'ready' }, done);
  expect(first.getSnapshot()).toBe(false);
});

test.for([
  ['fails', { status: 'failed', failure: { code: 'internal', step: 'resource', message: '', hint: '' } }],
  ['has an error in its script', { scriptErrors: [{ message: 'no' }] }],
  ['is closed', { status: 'closed' }],
] as const)('nobody waits for one that %s', async ([, trouble]) => {
  const { first, show } = open();
  show({});
  // Only what is read of it matters here.
  show(trouble as unknown as Partial<AppSnapshot>);
  vi.advanceTimersByTime(0);
  expect(first.getSnapshot()).toBe(false);
});

test('nobody waits for one whose call failed, for arguments that are played, or where there is no app', () => {
  const { first, show } = open();
  show({}, { status: 'cancelled', ms: 1 });
  show({ session: 'two' }, { status: 'streaming', since: 0, written: 0, total: 1 });
  show(undefined);
  expect(first.getSnapshot()).toBe(false);
});

test('with the press the next app is waited for, whatever the one before still does', () => {
  const { first, show } = open();
  show({});
  show({ status: 'ready', ...result }, done);
  vi.advanceTimersByTime(50);
  first.begin();
  expect(first.getSnapshot()).toBe(true);
  show({ status: 'ready', ...result, sizes: [{ at: 1 }] }, done);
  show({ status: 'closed', ...result }, done);
  vi.advanceTimersByTime(100);
  expect(first.getSnapshot()).toBe(true);
  show({ session: 'two' });
  // Counted from the press.
  vi.advanceTimersByTime(300);
  expect(first.getSnapshot()).toBe(false);
});

test('nothing waits for an app in whose place a failure is still shown', () => {
  for (const press of [true, false]) {
    const { first, show } = open();
    show({
      status: 'failed',
      failure: { code: 'internal', step: 'resource', message: '', hint: '' },
    } as never);
    if (press) first.begin();
    show({ session: 'two' }, done);
    expect(first.getSnapshot()).toBe(false);
    show({ session: 'two', status: 'closed' });
    show({ session: 'three' });
    expect(first.getSnapshot()).toBe(true);
  }
});

test('a press that led to nothing is forgotten', () => {
  const { first, show } = open();
  first.begin();
  vi.advanceTimersByTime(400);
  expect(first.getSnapshot()).toBe(false);
  show({});
  expect(first.getSnapshot()).toBe(true);
});

test('an app that is made ready has 250 ms, and a run after that its own time', () => {
  const { first, show } = open();
  first.prepare();
  vi.advanceTimersByTime(249);
  expect(first.getSnapshot()).toBe(true);
  vi.advanceTimersByTime(1);
  expect(first.getSnapshot()).toBe(false);
  first.prepare();
  first.begin();
  show({ status: 'sandbox' });
  vi.advanceTimersByTime(399);
  expect(first.getSnapshot()).toBe(true);
  vi.advanceTimersByTime(1);
  expect(first.getSnapshot()).toBe(false);
  // One that is made ready while another comes up takes nothing from that, and adds nothing.
  show({ session: 'two' });
  vi.advanceTimersByTime(300);
  first.prepare();
  vi.advanceTimersByTime(99);
  expect(first.getSnapshot()).toBe(true);
  vi.advanceTimersByTime(1);
  expect(first.getSnapshot()).toBe(false);
});

test('an app that is run while one is made ready has all of its time', () => {
  const { first, show } = open();
  first.prepare();
  vi.advanceTimersByTime(200);
  show({});
  vi.advanceTimersByTime(399);
  expect(first.getSnapshot()).toBe(true);
  vi.advanceTimersByTime(1);
  expect(first.getSnapshot()).toBe(false);
});

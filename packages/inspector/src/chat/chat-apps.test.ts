import type { AppSnapshot } from '@casement/host';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChatAppControls } from './chat-apps.js';
import { createChatApps } from './chat-apps.js';

const createApp = (session: string) => {
  const listeners = new Set<() => void>();
  // What is left out is not looked at.
  let snapshot = { session, status: 'ready' } as AppSnapshot;
  const app: ChatAppControls = {
    getSnapshot: () => snapshot,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    callAppTool: () => Promise.resolve({ content: [] }),
    fetchFromApp: () => Promise.resolve({ refused: 'No app is there.' }),
  };
  return {
    app,
    listeners,
    change: (patch: Partial<AppSnapshot>) => {
      snapshot = { ...snapshot, ...patch };
      for (const listener of listeners) listener();
    },
  };
};
const item = (id: string) => ({ mcp_app_id: id, title: `App ${id}`, server: 'shop' });
const readResult = (call: string) => (call === 'c1' ? { content: [] } : undefined);
const settle = () => vi.runAllTimers();

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the newest app is looked at until one is chosen, and again when that is gone', () => {
  const apps = createChatApps(readResult);
  const endFirst = apps.add(item('a'), createApp('s1').app);
  apps.add(item('b'), createApp('s2').app);
  settle();
  expect(apps.getSnapshot().current?.id).toBe('b');
  apps.choose('a');
  settle();
  expect(apps.getSnapshot().current).toMatchObject({ id: 'a', title: 'App a', server: 'shop' });
  apps.add(item('c'), createApp('s3').app);
  settle();
  expect(apps.getSnapshot().current?.id).toBe('a');
  endFirst();
  settle();
  expect(apps.getSnapshot().current?.id).toBe('c');
});

test('each word for the model counts once, other changes do not', () => {
  const apps = createChatApps(readResult);
  const { app, change } = createApp('s1');
  apps.add(item('a'), app);
  change({ modelContext: { content: [] } });
  change({ dropped: 3 });
  change({ modelContext: undefined });
  settle();
  expect(apps.getSnapshot().current).toMatchObject({ contextUpdates: 2, snapshot: { dropped: 3 } });
});

test('an item that is mounted anew is one app, and the end of its first mount is not its end', () => {
  const apps = createChatApps(readResult);
  const first = createApp('s1');
  const end = apps.add(item('a'), first.app);
  apps.add(item('a'), createApp('s2').app);
  end();
  settle();
  expect(apps.getSnapshot().apps.map(({ snapshot }) => snapshot.session)).toEqual(['s2']);
  expect(first.listeners.size).toBe(0);
});

test('an app has the result of the call it is shown for, and is found by its session', () => {
  const apps = createChatApps(readResult);
  apps.add({ ...item('a'), tool_call_id: 'c1' }, createApp('s1').app);
  apps.add({ ...item('b'), tool_call_id: 'c2' }, createApp('s2').app);
  expect(apps.find('s1')).toMatchObject({ id: 'a', result: { content: [] } });
  expect(apps.find('s2')?.result).toBeUndefined();
  expect(apps.find('s3')).toBeUndefined();
});

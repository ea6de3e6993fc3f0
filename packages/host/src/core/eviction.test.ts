import type { CallToolResult } from '@casement/protocol';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { SessionOptions } from './session-options.js';
import { appContents } from './plain-server.test-support.js';
import type { Stage } from './stage.test-support.js';
import { createStage, holdTime, initializeParams, settle, until } from './stage.test-support.js';
// Here already, so that no test waits for it.
import './evidence/view-state.js';

const view = {
  fields: [{ at: ['typed'], name: '', kind: 'text', value: 'by the user' }],
  scrolls: [{ at: ['', 1], left: 0, top: 120 }],
};
const result: CallToolResult = { content: [{ type: 'text', text: 'sunny' }] };
const statusOf = (stage: Stage): string => stage.session.getSnapshot().status;
const lifecycleOf = (stage: Stage, type: string): unknown[] =>
  stage.kinds('lifecycle').filter((raw) => (raw as { type: string }).type === type); // all of them have one

/** A session that is ready and answers its teardown. */
const createReady = async (options: Partial<SessionOptions> = {}): Promise<Stage> => {
  const stage = createStage(options);
  await stage.ready();
  stage.createApp({ 'ui/resource-teardown': () => ({}) });
  stage.surface.view = view;
  return stage;
};
const evict = (stage: Stage, hasActed = false): Promise<boolean> =>
  stage.session.evict('Too many apps.', hasActed);
/** Brings an app back by hand, as far as ready. */
const restore = async (stage: Stage, by: 'restore' | 'reload' = 'restore'): Promise<void> => {
  const before = stage.surface.frames.length;
  stage.session[by]();
  await until(() => expect(stage.surface.frames.length).toBe(before + 1));
  await until(() => expect(statusOf(stage)).toBe('sandbox'));
  await stage.proxy('proxy-ready');
  await stage.proxy('loader-ready');
  await stage.ask('again', 'ui/initialize', initializeParams);
  await stage.send({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
};

describe('an app that makes room', () => {
  test('is asked to stop, loses its frame, and is told all of it again when it is back', async () => {
    const stage = await createReady({ toolInput: { city: 'Köln' } });
    stage.session.sendToolResult(result);
    expect(await evict(stage)).toBe(true);
    expect(stage.methods()).toContain('ui/resource-teardown');
    expect(stage.session.getSnapshot()).toMatchObject({
      status: 'evicted',
      epoch: 1,
      eviction: { reason: 'Too many apps.', loses: false },
    });
    expect(stage.surface.frames.map(({ isThere }) => isThere)).toEqual([false]);
    stage.received.length = 0;
    await restore(stage);
    expect(stage.session.getSnapshot()).toMatchObject({ status: 'ready', epoch: 2 });
    expect(stage.session.getSnapshot()).not.toHaveProperty('eviction');
    expect(stage.methods().filter((method) => method.includes('/tool-'))).toEqual([
      'ui/notifications/tool-input',
      'ui/notifications/tool-result',
    ]);
    await until(() => expect(stage.surface.givenViews).toEqual([view]));
    expect(stage.server.calls).toEqual([]);
    expect(lifecycleOf(stage, 'evicted')).toHaveLength(1);
    expect(lifecycleOf(stage, 'restored')).toHaveLength(1);
  });

  test('is served until it has answered, but asks the user for nothing', async () => {
    const onOpenLink = vi.fn(async () => true);
    const stage = createStage({ onOpenLink });
    await stage.ready();
    let answer: (value: Record<string, never>) => void = () => undefined;
    stage.createApp({
      'ui/resource-teardown': () => new Promise((resolve) => (answer = resolve)),
    });
    const evicting = evict(stage);
    await until(() => expect(stage.methods()).toContain('ui/resource-teardown'));
    expect(statusOf(stage)).toBe('evicted');
    expect(await stage.ask(7, 'ui/open-link', { url: 'https://example.com/' })).toMatchObject({
      error: { data: { code: 'session-closed' } },
    });
    expect(onOpenLink).not.toHaveBeenCalled();
    stage.session.restore();
    expect(statusOf(stage)).toBe('evicted');
    answer({});
    expect(await evicting).toBe(true);
    expect(await settle()).toBeUndefined();
    expect(stage.surface.frames.at(-1)?.isThere).toBe(false);
  });

  test('goes without an answer when it says nothing for half a second', async () => {
    holdTime();
    const stage = createStage();
    await stage.ready();
    const evicting = evict(stage);
    await vi.advanceTimersByTimeAsync(600);
    expect(await evicting).toBe(true);
    expect(lifecycleOf(stage, 'teardown')).toEqual([{ type: 'teardown', outcome: 'unanswered' }]);
    expect(stage.surface.frames.at(-1)?.isThere).toBe(false);
  });

  test('that was still loading is not asked, and starts over', async () => {
    const stage = createStage();
    await stage.mount();
    expect(await evict(stage)).toBe(true);
    expect(statusOf(stage)).toBe('evicted');
    expect(stage.methods()).not.toContain('ui/resource-teardown');
    await restore(stage);
    expect(statusOf(stage)).toBe('ready');
  });

  test('stays while a call of it is under way, or while it plays', async () => {
    let finish: (value: CallToolResult) => void = () => undefined;
    const stage = await createReady();
    stage.server.onCall = () => new Promise((resolve) => (finish = resolve));
    const call = stage.ask(9, 'tools/call', { name: 'weather', arguments: {} });
    await until(() => expect(stage.session.isBusy()).toBe(true));
    expect(await evict(stage)).toBe(false);
    expect(statusOf(stage)).toBe('ready');
    finish({ content: [] });
    await call;
    expect(stage.session.isBusy()).toBe(false);
    stage.surface.view = { ...view, isPlaying: true };
    expect(await evict(stage)).toBe(false);
    stage.surface.view = view;
    expect(await evict(stage)).toBe(true);
  });

  test('does not stay for a call without end that no user asked for', async () => {
    const stage = await createReady();
    stage.surface.isActive = false;
    stage.server.onCall = () => new Promise(() => undefined);
    void stage.ask(9, 'tools/call', { name: 'weather', arguments: {} }).catch(() => undefined);
    await until(() => expect(stage.server.calls).toHaveLength(1));
    expect(await evict(stage)).toBe(false);
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now + 5_000);
    onTestFinished(() => clock.mockRestore());
    expect(stage.session.isBusy()).toBe(false);
    expect(await evict(stage)).toBe(true);
  });

  test('stays while the user is asked something for it, however long that takes', async () => {
    let answer: (isAllowed: boolean) => void = () => undefined;
    const stage = await createReady({
      onOpenLink: () => new Promise<boolean>((resolve) => (answer = resolve)),
    });
    const asking = stage.ask(9, 'ui/open-link', { url: 'https://example.com/' });
    await until(() => expect(stage.session.isBusy()).toBe(true));
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now + 60_000);
    onTestFinished(() => clock.mockRestore());
    expect(await evict(stage)).toBe(false);
    answer(false);
    await asking;
    expect(await evict(stage)).toBe(true);
  });

  test('loses something when the user acted in it and it keeps nothing', async () => {
    const keeping = await createReady();
    keeping.surface.view = { ...view, keeps: true };
    await evict(keeping, true);
    expect(keeping.session.getSnapshot().eviction).toMatchObject({ loses: false });
    const forgetful = await createReady();
    await evict(forgetful, true);
    expect(forgetful.session.getSnapshot().eviction).toMatchObject({ loses: true });
  });

  test('is closed without a frame, and a mode that is set meanwhile is in force when it is back', async () => {
    const stage = await createReady({ displayModes: ['inline', 'pip'] });
    await evict(stage);
    stage.session.setDisplayMode('pip');
    expect(stage.session.getSnapshot().displayMode).toBe('pip');
    await stage.session.close();
    expect(statusOf(stage)).toBe('closed');
    stage.session.restore();
    expect(statusOf(stage)).toBe('closed');
  });
});

describe('what the user would miss', () => {
  test('is given to the same document alone', async () => {
    const stage = await createReady();
    await evict(stage);
    stage.server.onRead = () => appContents({ text: '<p>another</p>' });
    await restore(stage);
    await until(() =>
      expect(lifecycleOf(stage, 'view-given')).toEqual([
        expect.objectContaining({ given: false, reason: 'It is of another document or another policy.' }),
      ]),
    );
    expect(stage.surface.givenViews).toEqual([]);
  });

  test('is told the embedder when an app goes, and taken back from it', async () => {
    const onViewState = vi.fn();
    const stage = await createReady({ onViewState });
    await stage.session.close();
    expect(onViewState).toHaveBeenCalledOnce();
    const viewState: unknown = JSON.parse(JSON.stringify(onViewState.mock.calls[0]?.[0]));
    const next = await createReady({ viewState });
    await until(() => expect(next.surface.givenViews).toEqual([view]));
  });

  test.each([
    ['same-document', []],
    ['earlier-version', [view]],
  ] as const)('of another document is given to the embedder who says %s', async (viewStateOf, given) => {
    const first = await createReady();
    // Of a document with another hash.
    const viewState = { ...Object(await first.session.readView()), hash: 'another' };
    const next = await createReady({ viewState, viewStateOf });
    await until(() => expect(lifecycleOf(next, 'view-given')).toHaveLength(1));
    expect(next.surface.givenViews).toEqual(given);
  });

  test('is read only of an app that is there', async () => {
    const stage = await createReady();
    await stage.session.close();
    expect(await stage.session.readView()).toBeUndefined();
  });

  test('is not given back after a reload, which is a new start', async () => {
    const stage = await createReady();
    await evict(stage);
    await restore(stage, 'reload');
    expect(statusOf(stage)).toBe('ready');
    await settle();
    expect(lifecycleOf(stage, 'view-given')).toEqual([]);
  });

  test.each([
    ['a text', 'view'],
    ['nothing', null],
    [
      'endless lists',
      { fields: Array(5000).fill(view.fields[0]), scrolls: Array(5000).fill(view.scrolls[0]) },
    ],
    ['many long texts', { fields: Array(100).fill({ ...view.fields[0], value: 'x'.repeat(10_000) }) }],
    ['long texts', { fields: [{ ...view.fields[0], value: 'x'.repeat(200_000) }], scrolls: [] }],
    [
      'foreign kinds',
      { fields: [{ ...view.fields[0], kind: '__proto__' }], scrolls: [{ at: [''], left: NaN, top: 1 }] },
    ],
    ['deep places', { fields: [{ ...view.fields[0], at: ['', ...Array<number>(5000).fill(0)] }] }],
    [
      'places that are none',
      {
        scrolls: [
          { at: ['', -1], left: 0, top: 0 },
          { at: [{}], left: 0, top: 0 },
        ],
      },
    ],
  ])('is bounded and rebuilt, whatever a loader says: %s', async (_what, said) => {
    const onViewState = vi.fn();
    const stage = await createReady({ onViewState });
    stage.surface.view = said;
    expect(await evict(stage)).toBe(true);
    const kept = onViewState.mock.calls.map(([state]) => JSON.stringify(state).length);
    expect(Math.max(0, ...kept)).toBeLessThan(150_000);
    const [read] = lifecycleOf(stage, 'view-read') as { fields: number; scrolls: number }[];
    expect(read?.fields).toBeLessThanOrEqual(200);
    expect(read?.scrolls).toBeLessThanOrEqual(50);
  });
});

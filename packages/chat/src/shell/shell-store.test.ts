import { describe, expect, test, vi } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import type { McpAppItem, ShellStore } from '../index.js';
import type { ShellOptions } from './shell-store.js';
import { createShellStore, toDisplayMode, toOpeningMode, toPanelItem, toWorkspaceItem } from '../index.js';
import { initialShellState, reduceShell } from './shell-state.js';
import { isViewing, toPipOwner } from './shell-state.js';

const toItem = (id: string, fields: Partial<McpAppItem> = {}): McpAppItem => ({
  response_type: 'mcp_app',
  title: id.toUpperCase(),
  mcp_app_id: id,
  resource_uri: `ui://${id}/app`,
  ...fields,
});
const a = toItem('a', { display_mode: 'fullscreen' });
const b = toItem('b', { display_mode: 'pip' });
const c = toItem('c', { display_mode: 'pip' });

const names = ['before-open', 'before-close', 'did-open', 'did-close'] as const;

const createListened = (options?: ShellOptions): { store: ShellStore; heard: string[] } => {
  const store = createShellStore(options);
  const heard: string[] = [];
  for (const name of names) {
    store.on(name, ({ place, messageItem }) => heard.push(`${name} ${place} ${messageItem.mcp_app_id}`));
  }
  return { store, heard };
};

describe('the state of a shell', () => {
  verifies(
    ['S5-33', 'S5-34', 'S5-35', 'S5-37'],
    'has a panel that its actions open for an item and close',
    () => {
      const opened = reduceShell(initialShellState, { type: 'OPEN_MCP_APP_PANEL', messageItem: a });
      expect(opened.mcpAppPanelState).toEqual({ isOpen: true, messageItem: a });
      expect(reduceShell(opened, { type: 'CLOSE_MCP_APP_PANEL' })).toEqual(initialShellState);
      const store = createShellStore();
      expect(store.getSnapshot()).toEqual(initialShellState);
      expect(store.dispatch({ type: 'OPEN_MCP_APP_PANEL', messageItem: a })).toEqual({ ok: true });
      expect(store.getSnapshot()).toEqual(opened);
      store.dispatch({ type: 'CLOSE_MCP_APP_PANEL' });
      expect(store.getSnapshot().mcpAppPanelState).toEqual({ isOpen: false });
    },
  );

  verifies(['S5-36', 'S5-37', 'S5-44'], 'has a workspace whose id is that of the app put into it', () => {
    const opened = reduceShell(initialShellState, { type: 'SET_WORKSPACE_MCP_APP_ITEM', messageItem: b });
    expect(opened.workspace).toEqual({ is_open: true, workspace_id: 'b', messageItem: b });
    expect(reduceShell(opened, { type: 'SET_WORKSPACE_MCP_APP_ITEM' })).toEqual(initialShellState);
    const store = createShellStore();
    expect(store.show(b)).toBe('pip');
    expect(store.getSnapshot()).toEqual(opened);
  });

  test('is the same object as long as nothing changes', () => {
    const store = createShellStore();
    const subscriber = vi.fn();
    store.subscribe(subscriber);
    store.dispatch({ type: 'CLOSE_MCP_APP_PANEL' });
    store.dispatch({ type: 'SET_WORKSPACE_MCP_APP_ITEM' });
    store.dispatch({ type: 'REMOVE_MCP_APP', mcp_app_id: 'a' });
    store.refit();
    expect(store.getSnapshot()).toBe(initialShellState);
    expect(subscriber).not.toHaveBeenCalled();
    store.show(a);
    const shown = store.getSnapshot();
    store.show(a);
    store.dispatch({ type: 'SET_MCP_APP_DISPLAY_MODES', mcp_app_id: 'b', modes: ['inline'] });
    const declared = store.getSnapshot();
    store.dispatch({ type: 'SET_MCP_APP_DISPLAY_MODES', mcp_app_id: 'b', modes: ['inline'] });
    expect(declared.mcpAppPanelState).toBe(shown.mcpAppPanelState);
    expect(store.getSnapshot()).toBe(declared);
    expect(subscriber).toHaveBeenCalledTimes(2);
  });

  test('holds an app in one place, since it has one frame', () => {
    const { store, heard } = createListened();
    store.show(b, 'fullscreen');
    store.show(b, 'pip');
    expect(store.getSnapshot().mcpAppPanelState).toEqual({ isOpen: false });
    store.show(b, 'fullscreen');
    expect(store.getSnapshot().workspace).toEqual({ is_open: false });
    expect(heard.filter((line) => line.startsWith('did'))).toEqual([
      'did-open panel b',
      'did-close panel b',
      'did-open workspace b',
      'did-close workspace b',
      'did-open panel b',
    ]);
    expect(store.show(b, 'inline')).toBe('inline');
    expect(store.getSnapshot().mcpAppPanelState.isOpen).toBe(false);
  });

  verifies('S5-11', 'knows an item by its id alone, also when the rest of it is written anew', () => {
    const { store, heard } = createListened();
    store.show(b);
    heard.length = 0;
    const renamed = { ...b, title: 'Other words' };
    expect(store.show(renamed)).toBe('pip');
    expect(toWorkspaceItem(store.getSnapshot())).toBe(renamed);
    expect(isViewing(store.getSnapshot(), b)).toBe(true);
    expect(isViewing(store.getSnapshot(), { ...b, mcp_app_id: 'b2' })).toBe(false);
    expect(heard).toEqual([]);
  });

  test('remembers the modes of so many apps, and forgets those that spoke longest ago', () => {
    const store = createShellStore({ limits: { maxKnownApps: 2 } });
    for (const mcp_app_id of ['a', 'b', 'c']) {
      store.dispatch({ type: 'SET_MCP_APP_DISPLAY_MODES', mcp_app_id, modes: ['inline'] });
    }
    expect([...store.getSnapshot().declaredModes.keys()]).toEqual(['b', 'c']);
    store.dispatch({ type: 'REMOVE_MCP_APP', mcp_app_id: 'b' });
    expect([...store.getSnapshot().declaredModes.keys()]).toEqual(['c']);
  });
});

describe('events of a shell', () => {
  verifies(['S5-40', 'S5-41'], 'before opening can stop it, and nothing is told then', () => {
    const { store, heard } = createListened();
    const stop = store.on('before-open', (event) => event.preventDefault());
    expect(store.show(b)).toBe('inline');
    expect(store.dispatch({ type: 'SET_WORKSPACE_MCP_APP_ITEM', messageItem: b })).toEqual({
      ok: false,
      reason: 'stopped',
    });
    expect(store.show(a)).toBe('inline');
    expect(store.getSnapshot()).toBe(initialShellState);
    expect(heard).toEqual(['before-open workspace b', 'before-open workspace b', 'before-open panel a']);
    stop();
    expect(store.show(b)).toBe('pip');
    expect(heard.slice(3)).toEqual(['before-open workspace b', 'did-open workspace b']);
  });

  verifies(['S5-40', 'S5-41'], 'before closing can stop it, and nothing is told then', () => {
    const { store, heard } = createListened();
    store.show(b);
    heard.length = 0;
    const stop = store.on('before-close', (event) => event.preventDefault());
    expect(store.dispatch({ type: 'SET_WORKSPACE_MCP_APP_ITEM' })).toEqual({ ok: false, reason: 'stopped' });
    expect(store.show(b, 'inline')).toBe('pip');
    expect(toWorkspaceItem(store.getSnapshot())).toBe(b);
    expect(heard).toEqual(['before-close workspace b', 'before-close workspace b']);
    stop();
    expect(store.show(b, 'inline')).toBe('inline');
    expect(heard.slice(2)).toEqual(['before-close workspace b', 'did-close workspace b']);
  });

  verifies('S5-41', 'that tell what happened come when the state says so', () => {
    const store = createShellStore();
    const seen: unknown[] = [];
    store.on('before-open', () => seen.push(store.getSnapshot().workspace.is_open));
    store.on('did-open', () => seen.push(store.getSnapshot().workspace.is_open));
    store.on('before-close', () => seen.push(store.getSnapshot().workspace.is_open));
    store.on('did-close', () => seen.push(store.getSnapshot().workspace.is_open));
    store.show(b);
    store.show(b, 'inline');
    expect(seen).toEqual([false, true, true, false]);
  });

  verifies(
    'S5-42',
    'let one workspace be replaced by the next, or keep the first when it must not close',
    () => {
      const { store, heard } = createListened();
      store.show(b);
      heard.length = 0;
      expect(store.show(c)).toBe('pip');
      expect(store.getSnapshot().workspace).toEqual({ is_open: true, workspace_id: 'c', messageItem: c });
      expect(heard).toEqual([
        'before-close workspace b',
        'before-open workspace c',
        'did-close workspace b',
        'did-open workspace c',
      ]);
      const closing = vi.fn();
      store.on('before-close', (event) => {
        closing(event.replacedBy?.mcp_app_id);
        event.preventDefault();
      });
      expect(store.show(b)).toBe('inline');
      expect(toPipOwner(store.getSnapshot())).toBe('c');
      expect(closing.mock.calls).toEqual([['b']]);
    },
  );

  test('cannot keep an app that is gone', () => {
    const { store, heard } = createListened();
    store.on('before-close', (event) => {
      heard.push(`cancelable ${event.cancelable}`);
      event.preventDefault();
    });
    store.show(b);
    store.show(a);
    heard.length = 0;
    store.dispatch({ type: 'REMOVE_MCP_APP', mcp_app_id: 'b' });
    expect(toPipOwner(store.getSnapshot())).toBeUndefined();
    expect(toDisplayMode(store.getSnapshot(), 'a')).toBe('fullscreen');
    expect(heard).toEqual(['before-close workspace b', 'cancelable false', 'did-close workspace b']);
  });

  test('take an app that is gone out of wherever a listener puts things meanwhile', () => {
    const { store, heard } = createListened();
    store.show(b);
    const stop = store.on('before-close', () => {
      stop();
      store.show(a);
    });
    expect(store.dispatch({ type: 'REMOVE_MCP_APP', mcp_app_id: 'b' })).toEqual({ ok: true });
    expect(toDisplayMode(store.getSnapshot(), 'b')).toBe('inline');
    expect(toDisplayMode(store.getSnapshot(), 'a')).toBe('fullscreen');
    expect(heard.at(-1)).toBe('did-close workspace b');
  });

  test('are told as often as a listener was added, until each is taken back', () => {
    const store = createShellStore();
    const listener = vi.fn();
    const subscriber = vi.fn();
    const stops = [store.on('did-open', listener), store.subscribe(subscriber)];
    store.on('did-open', listener);
    store.subscribe(subscriber);
    for (const stop of stops) stop();
    store.show(b);
    expect(listener).toHaveBeenCalledOnce();
    expect(subscriber).toHaveBeenCalledOnce();
  });

  test('in which a listener does something else first make the older wish void', () => {
    const { store, heard } = createListened();
    const stop = store.on('before-open', () => {
      stop();
      store.show(c);
    });
    expect(store.dispatch({ type: 'SET_WORKSPACE_MCP_APP_ITEM', messageItem: b })).toEqual({
      ok: false,
      reason: 'overtaken',
    });
    expect(toPipOwner(store.getSnapshot())).toBe('c');
    expect(heard).toEqual(['before-open workspace b', 'before-open workspace c', 'did-open workspace c']);
  });

  test.each(['subscribe', 'did-open'] as const)(
    'come in the order of what happened when one heard by %s causes the next',
    (way) => {
      const { store, heard } = createListened();
      const close = (): void => void store.show(b, 'inline');
      const stop = way === 'subscribe' ? store.subscribe(() => [stop(), close()]) : store.on(way, close);
      store.show(b);
      expect(heard.filter((line) => line.startsWith('did'))).toEqual([
        'did-open workspace b',
        'did-close workspace b',
      ]);
    },
  );

  test('reach every listener although one throws, which is no objection', () => {
    const onListenerError = vi.fn();
    const store = createShellStore({ onListenerError });
    const mistake = new Error('a mistake of the page');
    const throws = () => {
      throw mistake;
    };
    const later = vi.fn();
    store.on('before-open', throws);
    store.on('did-open', throws);
    store.subscribe(throws);
    store.on('did-open', later);
    expect(store.show(b)).toBe('pip');
    expect(later).toHaveBeenCalledOnce();
    expect(onListenerError.mock.calls).toEqual([[mistake], [mistake], [mistake]]);
  });
});

describe('the place of an app', () => {
  verifies('S5-26', 'is its message when it does not list the mode of its item', () => {
    const store = createShellStore();
    expect(toOpeningMode(store.getSnapshot(), b)).toBe('pip');
    store.dispatch({ type: 'SET_MCP_APP_DISPLAY_MODES', mcp_app_id: 'b', modes: ['inline', 'fullscreen'] });
    expect(toOpeningMode(store.getSnapshot(), b)).toBe('inline');
    expect(store.show(b)).toBe('inline');
    expect(store.getSnapshot().workspace.is_open).toBe(false);
    expect(store.dispatch({ type: 'SET_WORKSPACE_MCP_APP_ITEM', messageItem: b })).toEqual({
      ok: false,
      reason: 'not-declared',
    });
    expect(store.show(b, 'fullscreen')).toBe('fullscreen');
    expect(store.show(b)).toBe('inline');
    expect(store.getSnapshot().mcpAppPanelState.isOpen).toBe(false);
  });

  verifies('S5-26', 'becomes its message when it says so only after it was opened', () => {
    const { store, heard } = createListened();
    store.on('before-close', (event) => event.preventDefault());
    store.show(a);
    store.show(b);
    heard.length = 0;
    store.dispatch({ type: 'SET_MCP_APP_DISPLAY_MODES', mcp_app_id: 'a', modes: ['inline'] });
    expect(toDisplayMode(store.getSnapshot(), 'a')).toBe('inline');
    expect(toDisplayMode(store.getSnapshot(), 'b')).toBe('pip');
    expect(heard).toEqual(['before-close panel a', 'did-close panel a']);
  });

  verifies(
    'S5-27',
    'is the panel while the workspace does not fit, and the workspace when it does again',
    () => {
      let fits = false;
      const { store, heard } = createListened({ canFitWorkspace: () => fits });
      expect(store.show(b)).toBe('pip');
      expect(toPanelItem(store.getSnapshot())).toBe(b);
      expect(toWorkspaceItem(store.getSnapshot())).toBeUndefined();
      expect(isViewing(store.getSnapshot(), b)).toBe(true);
      heard.length = 0;
      fits = true;
      store.refit();
      expect(toPanelItem(store.getSnapshot())).toBeUndefined();
      expect(toWorkspaceItem(store.getSnapshot())).toBe(b);
      fits = false;
      store.refit();
      expect(toPanelItem(store.getSnapshot())).toBe(b);
      // Neither opened nor closed: the app goes on where it is, in another layout.
      expect(heard).toEqual([]);
      store.show(a);
      expect(toPanelItem(store.getSnapshot())).toBe(a);
      store.show(a, 'inline');
      expect(toPanelItem(store.getSnapshot())).toBe(b);
      store.show(b, 'inline');
      expect(toPanelItem(store.getSnapshot())).toBeUndefined();
    },
  );
});

describe('"Viewing"', () => {
  verifies(['S5-43', 'S5-46'], 'is said by the tile of the app that is open, and by no other', () => {
    const store = createShellStore();
    const viewing = () => [a, b, c].filter((item) => isViewing(store.getSnapshot(), item));
    expect(viewing()).toEqual([]);
    store.show(a);
    expect(viewing()).toEqual([a]);
    store.show(b);
    expect(viewing()).toEqual([a, b]);
    store.show(c);
    expect(viewing()).toEqual([a, c]);
    store.dispatch({ type: 'CLOSE_MCP_APP_PANEL' });
    expect(viewing()).toEqual([c]);
  });

  verifies('S5-46', 'is for fullscreen what the panel says, whatever the workspace has', () => {
    const workspace = { is_open: false, workspace_id: 'a' };
    expect(isViewing({ ...initialShellState, workspace }, a)).toBe(false);
    const mcpAppPanelState = { isOpen: true, messageItem: a };
    expect(isViewing({ ...initialShellState, mcpAppPanelState }, a)).toBe(true);
    expect(isViewing({ ...initialShellState, mcpAppPanelState: { isOpen: false, messageItem: a } }, a)).toBe(
      false,
    );
  });

  verifies('S5-45', 'is not said for a workspace without an id', () => {
    const state = { ...initialShellState, workspace: { is_open: true, messageItem: b } };
    expect(isViewing(state, b)).toBe(false);
    expect(isViewing(state, toItem('undefined', { display_mode: 'pip' }))).toBe(false);
  });
});

describe('picture-in-picture', () => {
  test('has one owner; taking it replaces the last, and only the owner can leave it', () => {
    const store = createShellStore();
    expect(toPipOwner(store.getSnapshot())).toBeUndefined();
    expect(store.takePip(b)).toBe(true);
    expect(store.takePip(c)).toBe(true);
    expect(toPipOwner(store.getSnapshot())).toBe('c');
    expect(store.leavePip('b')).toBe(false);
    expect(toPipOwner(store.getSnapshot())).toBe('c');
    expect(store.leavePip('c')).toBe(true);
    expect(toPipOwner(store.getSnapshot())).toBeUndefined();
    expect(store.leavePip('c')).toBe(false);
  });

  test('is not taken against a listener or the app’s modes, and nothing moves then', () => {
    const store = createShellStore();
    store.dispatch({ type: 'SET_MCP_APP_DISPLAY_MODES', mcp_app_id: 'a', modes: ['fullscreen'] });
    store.show(a);
    expect(store.takePip(a)).toBe(false);
    expect(toDisplayMode(store.getSnapshot(), 'a')).toBe('fullscreen');
    store.on('before-open', (event) => event.preventDefault());
    expect(store.takePip(b)).toBe(false);
    expect(toPipOwner(store.getSnapshot())).toBeUndefined();
  });
});

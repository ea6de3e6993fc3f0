import type { DisplayMode } from '@casement/protocol';
import { toRequestedMode } from '../message/items.js';
import type { McpAppItem } from '../message/message.js';
import type { ShellListeners } from './shell-events.js';
import { createShellListeners, toShellChanges } from './shell-events.js';
import type { ShellAction, ShellLimits, ShellState } from './shell-state.js';
import {
  defaultShellLimits,
  initialShellState,
  isModeOpenTo,
  reduceShell,
  toDisplayMode,
  toPipOwner,
} from './shell-state.js';

/**
 * The outcome of an action: done; stopped by a listener; overtaken, because a listener changed the state first; or
 * refused, because the app did not declare the mode.
 */
type ShellOutcome =
  { readonly ok: true } | { readonly ok: false; readonly reason: 'stopped' | 'overtaken' | 'not-declared' };

/** What a page says about its shell. */
export interface ShellOptions {
  /** Whether there is space for a workspace beside the conversation now; always, unless said. */
  canFitWorkspace?(): boolean;
  readonly limits?: Partial<ShellLimits>;
  /** Hears what a listener threw; unhandled errors of the page unless given. */
  onListenerError?(error: unknown): void;
}

/** Where the apps of one conversation are: in their message, in the panel, in the workspace. */
export interface ShellStore {
  getSnapshot(): ShellState;
  subscribe: ShellListeners['subscribe'];
  on: ShellListeners['on'];
  dispatch(action: ShellAction): ShellOutcome;
  /** Brings an app into a mode, the item's own unless another is named, and says which one is in force after it. */
  show(item: McpAppItem, mode?: DisplayMode): DisplayMode;
  /** Asks again whether the workspace fits; for when the page's layout changed. */
  refit(): void;
  /** Makes an app the one owner of picture-in-picture; false when a listener or the app's modes are against it. */
  takePip(item: McpAppItem): boolean;
  /** Gives picture-in-picture up; false when the app did not own it, or a listener is against it. */
  leavePip(mcpAppId: string): boolean;
}

// Facts, not wishes: the app is gone, or cannot be where it is.
const isFact = ({ type }: ShellAction): boolean =>
  type === 'REMOVE_MCP_APP' || type === 'SET_MCP_APP_DISPLAY_MODES';

const isUndeclared = (state: ShellState, action: ShellAction): boolean => {
  if (action.type !== 'OPEN_MCP_APP_PANEL' && action.type !== 'SET_WORKSPACE_MCP_APP_ITEM') return false;
  if (!action.messageItem) return false;
  const mode = action.type === 'OPEN_MCP_APP_PANEL' ? 'fullscreen' : 'pip';
  return !isModeOpenTo(state, action.messageItem.mcp_app_id, mode);
};

const throwLater = (error: unknown): void =>
  queueMicrotask(() => {
    throw error;
  });

/** Creates the state of a shell. Every change passes the listeners, whoever wants it (S5-40, S5-41). */
export const createShellStore = (options: ShellOptions = {}): ShellStore => {
  const limits: ShellLimits = { ...defaultShellLimits, ...options.limits };
  const listeners = createShellListeners((error) => (options.onListenerError ?? throwLater)(error));
  let state = initialShellState;

  const dispatch = (action: ShellAction): ShellOutcome => {
    if (isUndeclared(state, action)) return { ok: false, reason: 'not-declared' };
    if (action.type === 'SET_WORKSPACE_MCP_APP_ITEM' && action.messageItem) refit();
    const before = state;
    const next = reduceShell(before, action, limits);
    if (next === before) return { ok: true };
    const changes = toShellChanges(before, next);
    for (const change of changes) {
      if (!listeners.ask(change, !isFact(action))) return { ok: false, reason: 'stopped' };
      if (state === before) continue;
      // A listener changed something: a wish was made for what is no more, a fact holds for whatever there is now.
      return isFact(action) ? dispatch(action) : { ok: false, reason: 'overtaken' };
    }
    state = next;
    const tellAll = listeners.tell(changes);
    listeners.changed();
    tellAll();
    return { ok: true };
  };

  const refit = (): void =>
    void dispatch({ type: 'SET_WORKSPACE_FITS', fits: options.canFitWorkspace?.() ?? true });

  const toInline = (mcpAppId: string): void => {
    const mode = toDisplayMode(state, mcpAppId);
    if (mode === 'fullscreen') dispatch({ type: 'CLOSE_MCP_APP_PANEL' });
    if (mode === 'pip') dispatch({ type: 'SET_WORKSPACE_MCP_APP_ITEM' });
  };

  const show = (item: McpAppItem, mode: DisplayMode = toRequestedMode(item)): DisplayMode => {
    const granted = isModeOpenTo(state, item.mcp_app_id, mode) ? mode : 'inline';
    if (granted === 'inline') toInline(item.mcp_app_id);
    else if (granted === 'pip') dispatch({ type: 'SET_WORKSPACE_MCP_APP_ITEM', messageItem: item });
    else dispatch({ type: 'OPEN_MCP_APP_PANEL', messageItem: item });
    return toDisplayMode(state, item.mcp_app_id);
  };

  return {
    getSnapshot: () => state,
    subscribe: listeners.subscribe,
    on: listeners.on,
    dispatch,
    show,
    refit,
    takePip: (item) => dispatch({ type: 'SET_WORKSPACE_MCP_APP_ITEM', messageItem: item }).ok,
    leavePip(mcpAppId) {
      if (toPipOwner(state) !== mcpAppId) return false;
      return dispatch({ type: 'SET_WORKSPACE_MCP_APP_ITEM' }).ok;
    },
  };
};

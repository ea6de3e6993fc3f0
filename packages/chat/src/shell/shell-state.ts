import type { DisplayMode } from '@casement/protocol';
import { toRequestedMode } from '../message/items.js';
import type { McpAppItem } from '../message/message.js';

/** Whether the fullscreen panel is open, and for which item (S5-33). */
interface McpAppPanelState {
  readonly isOpen: boolean;
  readonly messageItem?: McpAppItem;
}

/** What the workspace shows; its id is that of the app in it, and there is none while it is closed (S5-44). */
interface WorkspaceState {
  readonly is_open: boolean;
  readonly workspace_id?: string;
  readonly messageItem?: McpAppItem;
}

/** Where the apps of a conversation are, apart from the messages themselves. */
export interface ShellState {
  readonly mcpAppPanelState: McpAppPanelState;
  readonly workspace: WorkspaceState;
  /** Whether the page has the space for a workspace; the panel shows what is in it otherwise (S5-27). */
  readonly workspaceFits: boolean;
  /** The modes each app said it knows, by its id; an app that said nothing has no entry. */
  readonly declaredModes: ReadonlyMap<string, readonly DisplayMode[]>;
}

/** Everything that changes where apps are (S5-34…S5-37). */
export type ShellAction =
  | { readonly type: 'OPEN_MCP_APP_PANEL'; readonly messageItem: McpAppItem }
  | { readonly type: 'CLOSE_MCP_APP_PANEL' }
  /** Without an item the workspace closes. */
  | { readonly type: 'SET_WORKSPACE_MCP_APP_ITEM'; readonly messageItem?: McpAppItem }
  | { readonly type: 'SET_WORKSPACE_FITS'; readonly fits: boolean }
  | {
      readonly type: 'SET_MCP_APP_DISPLAY_MODES';
      readonly mcp_app_id: string;
      readonly modes?: readonly DisplayMode[];
    }
  | { readonly type: 'REMOVE_MCP_APP'; readonly mcp_app_id: string };

/** What a shell keeps at most. */
export interface ShellLimits {
  /** Apps whose modes are remembered; those that spoke longest ago are forgotten first. */
  readonly maxKnownApps: number;
}

/** The limits unless others are given. */
export const defaultShellLimits: ShellLimits = { maxKnownApps: 1000 };

/** A shell in which every app is in its message. */
export const initialShellState: ShellState = {
  mcpAppPanelState: { isOpen: false },
  workspace: { is_open: false },
  workspaceFits: true,
  declaredModes: new Map(),
};

/** Whether an app may be shown in a mode: it listed the mode, or has not said which it knows (S5-26). */
export const isModeOpenTo = (state: ShellState, mcpAppId: string, mode: DisplayMode): boolean =>
  mode === 'inline' || (state.declaredModes.get(mcpAppId)?.includes(mode) ?? true);

const closedPanel: McpAppPanelState = { isOpen: false };
const closedWorkspace: WorkspaceState = { is_open: false };

const leavePanel = (state: ShellState, mcpAppId?: string): ShellState => {
  const { isOpen, messageItem } = state.mcpAppPanelState;
  if (!isOpen || (mcpAppId !== undefined && messageItem?.mcp_app_id !== mcpAppId)) return state;
  return { ...state, mcpAppPanelState: closedPanel };
};

const leaveWorkspace = (state: ShellState, mcpAppId?: string): ShellState => {
  const { is_open, workspace_id } = state.workspace;
  if (!is_open || (mcpAppId !== undefined && workspace_id !== mcpAppId)) return state;
  return { ...state, workspace: closedWorkspace };
};

const openPanel = (state: ShellState, messageItem: McpAppItem): ShellState => {
  const { isOpen, messageItem: shown } = state.mcpAppPanelState;
  if (isOpen && shown === messageItem) return state;
  if (!isModeOpenTo(state, messageItem.mcp_app_id, 'fullscreen')) return state;
  // An app has one frame, so it is in one place.
  const rest = leaveWorkspace(state, messageItem.mcp_app_id);
  return { ...rest, mcpAppPanelState: { isOpen: true, messageItem } };
};

const setWorkspace = (state: ShellState, messageItem: McpAppItem): ShellState => {
  if (state.workspace.is_open && state.workspace.messageItem === messageItem) return state;
  if (!isModeOpenTo(state, messageItem.mcp_app_id, 'pip')) return state;
  const rest = leavePanel(state, messageItem.mcp_app_id);
  return { ...rest, workspace: { is_open: true, workspace_id: messageItem.mcp_app_id, messageItem } };
};

const declareModes = (
  state: ShellState,
  mcpAppId: string,
  modes: readonly DisplayMode[] | undefined,
  { maxKnownApps }: ShellLimits,
): ShellState => {
  const known = state.declaredModes.get(mcpAppId);
  // By value: each report of an app brings a list of its own.
  if (known?.join() === modes?.join()) return state;
  const declaredModes = new Map(state.declaredModes);
  declaredModes.delete(mcpAppId);
  if (modes) declaredModes.set(mcpAppId, modes);
  for (const id of declaredModes.keys()) {
    if (declaredModes.size <= maxKnownApps) break;
    declaredModes.delete(id);
  }
  let next: ShellState = { ...state, declaredModes };
  if (!isModeOpenTo(next, mcpAppId, 'fullscreen')) next = leavePanel(next, mcpAppId);
  if (!isModeOpenTo(next, mcpAppId, 'pip')) next = leaveWorkspace(next, mcpAppId);
  return next;
};

/** The state after an action; the same object when the action changes nothing. */
export const reduceShell = (
  state: ShellState,
  action: ShellAction,
  limits: ShellLimits = defaultShellLimits,
): ShellState => {
  switch (action.type) {
    case 'OPEN_MCP_APP_PANEL':
      return openPanel(state, action.messageItem);
    case 'CLOSE_MCP_APP_PANEL':
      return leavePanel(state);
    case 'SET_WORKSPACE_MCP_APP_ITEM':
      return action.messageItem ? setWorkspace(state, action.messageItem) : leaveWorkspace(state);
    case 'SET_WORKSPACE_FITS':
      return action.fits === state.workspaceFits ? state : { ...state, workspaceFits: action.fits };
    case 'SET_MCP_APP_DISPLAY_MODES':
      return declareModes(state, action.mcp_app_id, action.modes, limits);
    case 'REMOVE_MCP_APP': {
      const rest = declareModes(state, action.mcp_app_id, undefined, limits);
      return leavePanel(leaveWorkspace(rest, action.mcp_app_id), action.mcp_app_id);
    }
  }
};

/** The mode an item opens in: the one it asks for, or inline when its app does not list that (S5-26). */
export const toOpeningMode = (state: ShellState, item: McpAppItem): DisplayMode => {
  const mode = toRequestedMode(item);
  return isModeOpenTo(state, item.mcp_app_id, mode) ? mode : 'inline';
};

/** The mode an app is in now: of the place that holds it, inline when none does. */
export const toDisplayMode = (state: ShellState, mcpAppId: string): DisplayMode => {
  const { isOpen, messageItem } = state.mcpAppPanelState;
  if (isOpen && messageItem?.mcp_app_id === mcpAppId) return 'fullscreen';
  return toPipOwner(state) === mcpAppId ? 'pip' : 'inline';
};

/** The one app that owns picture-in-picture, which here is the workspace (S1-47, S5-44). */
export const toPipOwner = ({ workspace }: ShellState): string | undefined =>
  workspace.is_open ? workspace.workspace_id : undefined;

/** Whether the tile of an item says "Viewing": the open panel or workspace holds its app (S5-43, S5-45, S5-46). */
export const isViewing = (state: ShellState, item: McpAppItem): boolean =>
  toDisplayMode(state, item.mcp_app_id) !== 'inline';

/** What the panel shows: its own item, or the workspace's when that has no space of its own (S5-27). */
export const toPanelItem = (state: ShellState): McpAppItem | undefined => {
  const { mcpAppPanelState, workspace, workspaceFits } = state;
  if (mcpAppPanelState.isOpen) return mcpAppPanelState.messageItem;
  return workspace.is_open && !workspaceFits ? workspace.messageItem : undefined;
};

/** What the workspace shows beside the conversation; nothing while it has no space there. */
export const toWorkspaceItem = ({ workspace, workspaceFits }: ShellState): McpAppItem | undefined =>
  workspace.is_open && workspaceFits ? workspace.messageItem : undefined;

import type { DisplayMode } from '@casement/protocol';
import { toRequestedMode } from './items.js';
import type { McpAppItem } from './parts.js';
import type { ShellState } from './shell-state.js';
import { isModeOpenTo } from './shell-state.js';

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

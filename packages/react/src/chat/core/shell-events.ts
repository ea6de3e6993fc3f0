import type { McpAppItem } from './parts.js';
import type { ShellState } from './shell-state.js';

/** One place opening or closing. */
export interface ShellChange {
  readonly kind: 'open' | 'close';
  readonly place: 'panel' | 'workspace';
  readonly messageItem: McpAppItem;
  /** On closing: the item that takes the place at once. */
  readonly replacedBy?: McpAppItem;
}

/** Asked before a place opens or closes (S5-40). */
export interface BeforeShellEvent extends ShellChange {
  /** False where nobody can say no: the app is gone, or does not know the mode. */
  readonly cancelable: boolean;
  /** Leaves everything as it is. */
  preventDefault(): void;
}

/** The events of a shell by name; did-events tell what has happened (S5-41). */
export interface ShellEvents {
  'before-open': BeforeShellEvent;
  'before-close': BeforeShellEvent;
  'did-open': ShellChange;
  'did-close': ShellChange;
}

interface Places {
  readonly place: ShellChange['place'];
  readonly before: McpAppItem | undefined;
  readonly after: McpAppItem | undefined;
}

/** What opens and closes between two states, closings first; an item in new words under its old id is neither (S5-11). */
export const toShellChanges = (before: ShellState, after: ShellState): readonly ShellChange[] => {
  const places: readonly Places[] = [
    {
      place: 'panel',
      before: before.mcpAppPanelState.messageItem,
      after: after.mcpAppPanelState.messageItem,
    },
    { place: 'workspace', before: before.workspace.messageItem, after: after.workspace.messageItem },
  ];
  const moved = places.filter((each) => each.before?.mcp_app_id !== each.after?.mcp_app_id);
  const closings = moved.flatMap(({ place, before: messageItem, after: replacedBy }): ShellChange[] =>
    messageItem ? [{ kind: 'close', place, messageItem, ...(replacedBy && { replacedBy }) }] : [],
  );
  const openings = moved.flatMap(({ place, after: messageItem }): ShellChange[] =>
    messageItem ? [{ kind: 'open', place, messageItem }] : [],
  );
  return [...closings, ...openings];
};

import type { MountAppOptions } from '@casement/host';
import type { CallToolResult, DisplayMode } from '@casement/protocol';

/** What `<McpApp>` and `useMcpApp` take: the options of mountApp, and as values what is told to a running app. */
export interface McpAppOptions extends MountAppOptions {
  /** The arguments as far as the model has written them. */
  readonly toolInputPartial?: Record<string, unknown>;
  /** Their JSON text so far, instead of `toolInputPartial`. */
  readonly toolInputText?: string;
  /** What the call returned. */
  readonly toolResult?: CallToolResult;
  /** There will be no result; a text is the reason. */
  readonly toolCancelled?: boolean | string;
  /** The requested display mode; the snapshot has the one in force. */
  readonly displayMode?: DisplayMode;
}

/**
 * The options to mount with. Which callbacks are there decides what the app is offered; the ones called are always
 * those of the last render, so that they may be written inline.
 */
export const toMountOptions = (read: () => McpAppOptions | undefined): MountAppOptions => {
  const given: Partial<McpAppOptions> = read() ?? {};
  const live: Record<string, unknown> = { ...given };
  for (const [name, value] of Object.entries(live)) {
    if (typeof value !== 'function') continue;
    live[name] = (...args: unknown[]): unknown => {
      // The same names as above; an option that is a function stays one.
      const now = (read() as unknown as Record<string, typeof value> | undefined)?.[name] ?? value;
      return now(...args);
    };
  }
  const { displayModes = ['inline'], displayMode } = given;
  if (displayMode) live.displayModes = [...new Set([...displayModes, displayMode])];
  // Every option is one that was given, or the same function at one remove.
  return live as unknown as MountAppOptions;
};

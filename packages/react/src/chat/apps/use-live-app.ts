import type { McpAppItem } from '@casement/chat';
import { toDisplayMode } from '@casement/chat';
import type { AppSnapshot, MountedApp } from '@casement/host';
import type { ServerPort } from '@casement/protocol/ports';
import { useEffect, useRef } from 'react';
import { useChat } from '../host/chat-host.js';

/** Registers a mounted app with the conversation as long as it is there, and with the page when it wants to know. */
export const useLiveApp = (
  item: McpAppItem,
  app: MountedApp | null,
  server: ServerPort | undefined,
): ((snapshot: AppSnapshot) => void) => {
  const { conversation, shell, onApp } = useChat();
  const { mcp_app_id: id, tool_call_id: toolCallId } = item;
  const latest = useRef({ item, onApp });
  const present = useRef<string>(undefined);
  useEffect(() => {
    latest.current = { item, onApp };
  });
  useEffect(() => {
    if (!app || !server) return;
    const ends = [
      conversation.registerApp({ ...app, id, ...(toolCallId === undefined ? {} : { toolCallId }), server }),
      latest.current.onApp?.(latest.current.item, app),
    ];
    return () => ends.forEach((end) => end?.());
  }, [app, server, id, toolCallId, conversation]);
  useEffect(() => {
    present.current = id;
    return () => {
      present.current = undefined;
      // StrictMode only rehearses the end, and starts again before this runs.
      queueMicrotask(() => {
        if (present.current !== id) shell.dispatch({ type: 'REMOVE_MCP_APP', mcp_app_id: id });
      });
    };
  }, [shell, id]);

  /** Tells the shell what the app's session says: the modes it knows, and that it is gone. */
  return ({ status, appCapabilities, displayMode }) => {
    if (status === 'failed' || status === 'closed' || status === 'tearing-down') {
      shell.dispatch({ type: 'REMOVE_MCP_APP', mcp_app_id: id });
      return;
    }
    if (status !== 'ready') return;
    const modes = appCapabilities?.availableDisplayModes;
    shell.dispatch({
      type: 'SET_MCP_APP_DISPLAY_MODES',
      mcp_app_id: id,
      ...(modes ? { modes } : {}),
    });
    // An app that does not know inline is in another mode from its first moment (HOST-048): the shell follows.
    const isForced = modes !== undefined && !modes.includes('inline') && displayMode !== 'inline';
    if (isForced && toDisplayMode(shell.getSnapshot(), id) === 'inline') shell.show(item, displayMode);
  };
};

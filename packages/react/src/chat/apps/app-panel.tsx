'use client';

import { useRef } from 'react';
import { useShell } from '../host/chat-host.js';
import { usePlace } from './use-place.js';

/**
 * Where an app in fullscreen is laid over the chat (S5-38). An app of the workspace that has no space beside the
 * thread has its place here too, over the thread alone, so that the composer stays free (S5-27).
 */
export const AppPanel = () => {
  const isOpen = useShell(({ mcpAppPanelState }) => mcpAppPanelState.isOpen);
  const hasWorkspace = useShell(({ workspace, workspaceFits }) => workspace.is_open && !workspaceFits);
  const panel = useRef<HTMLDivElement>(null);
  const overThread = useRef<HTMLDivElement>(null);
  usePlace(panel, isOpen ? 'fullscreen' : undefined);
  // Also under an open panel: without a place of its own an app would float over the page around the chat.
  usePlace(overThread, hasWorkspace ? 'pip' : undefined);
  return (
    <>
      <div
        ref={panel}
        className="casement-panel"
        data-panel="fullscreen"
        hidden={!isOpen}
        aria-hidden="true"
      />
      <div
        ref={overThread}
        className="casement-panel"
        data-panel="pip"
        hidden={!hasWorkspace}
        aria-hidden="true"
      />
    </>
  );
};

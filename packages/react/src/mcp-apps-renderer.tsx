'use client';

import { createFunctionPort } from '@casement/host';
import { lazy, Suspense } from 'react';
import { McpApp } from './mcp-app.js';
import { useMcpHost } from './mcp-host.js';

/** How far a tool call is, in the words of the AI SDK; a call that nobody allowed is `output-denied`. */
export type ToolState =
  | 'input-streaming'
  | 'input-available'
  | 'approval-requested'
  | 'approval-responded'
  | 'output-available'
  | 'output-error'
  | 'output-denied';

/** The props of `MCPAppsRenderer`. */
export interface MCPAppsRendererProps {
  readonly serverId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly toolState?: ToolState;
  readonly toolInput?: Record<string, unknown>;
  readonly toolOutput?: unknown;
  readonly resourceUri: string;
  /** The tool's `_meta`. */
  readonly toolMetadata?: Record<string, unknown>;
  /** The text an app wants said, after the person agreed in a dialog of the host; still the app's words, not theirs. */
  onSendFollowUp?(text: string): void;
  /** Runs the tools the app calls, in place of the server's port; what an app may call is still the server's list. */
  onCallTool?(toolName: string, params: Record<string, unknown>): Promise<unknown>;
  /** A widget of the OpenAI family wants its state kept; give it back as `widgetState` when the call is shown again. */
  onWidgetStateChange?(toolCallId: string, state: unknown): void;
  readonly widgetState?: unknown;
  /** The call whose app owns picture-in-picture. */
  readonly pipWidgetId?: string | null;
  onRequestPip?(toolCallId: string): void;
  onExitPip?(toolCallId: string): void;
}

// On demand: a page that shows apps by `McpApp` alone does not carry it.
const KnownApp = lazy(async () => ({ default: (await import('./known-app.js')).KnownApp }));

/** An app known by its server's id and its address; an `McpHostProvider` above has the sandbox and the servers. */
export function MCPAppsRenderer(props: MCPAppsRendererProps) {
  const host = useMcpHost();
  if (!host) throw new Error('MCPAppsRenderer needs an McpHostProvider above it.');
  const { Renderer = McpApp } = host;
  return (
    <Suspense>
      <KnownApp {...props} {...{ host, Renderer }} toPort={createFunctionPort} />
    </Suspense>
  );
}

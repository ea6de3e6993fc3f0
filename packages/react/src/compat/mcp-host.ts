'use client';

import type { HostWords, SandboxTarget } from '@casement/host';
import type { ServerPort } from '@casement/protocol/ports';
import type { ComponentType } from 'react';
import { createContext, useContext } from 'react';
import type { McpAppProps } from '../app/mcp-app.js';

/** What the components that know a server only by its id share. */
export interface McpHost {
  /** Where the sandbox is. */
  readonly sandbox: SandboxTarget;
  /** The port of a server; the same object for the same id. */
  toServer(serverId: string): ServerPort;
  /** The words of the host, for other languages. */
  readonly words?: HostWords;
  /** What draws an app in place of `McpApp`: the one seam to exchange the renderer at (S1-14). */
  readonly Renderer?: ComponentType<McpAppProps>;
}

const HostContext = createContext<McpHost | undefined>(undefined);

/** Gives `MCPAppsRenderer` and `SandboxedIframe` below it their sandbox and servers. */
export const McpHostProvider = HostContext.Provider;

/** The host given above, if there is one. */
export const useMcpHost = (): McpHost | undefined => useContext(HostContext);

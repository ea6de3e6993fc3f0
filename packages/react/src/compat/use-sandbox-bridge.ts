'use client';

import { useMemo, useRef, useState } from 'react';
import type { Tool } from '@casement/protocol';
import { CasementError } from '@casement/protocol/start';
import { createFunctionPort } from '@casement/protocol/functions';
import type { McpAppOptions } from '../app/live-options.js';
import { createIdentity } from './own-identity.js';
import type { McpAppState } from '../app/use-mcp-app.js';
import { useMcpApp } from '../app/use-mcp-app.js';

/** A UI resource as a server returned it. */
interface McpAppResource {
  readonly uri: string;
  readonly mimeType: string;
  readonly text?: string;
  readonly blob?: string;
  readonly _meta?: Record<string, unknown>;
}

/** What `useSandboxBridge` and `McpAppRenderer` take: an app's resource, and one function for all that goes to its server. */
export interface SandboxBridgeOptions extends Omit<McpAppOptions, 'server' | 'tool' | 'resourceUri'> {
  readonly resource: McpAppResource;
  /** Passes a request (tools/list, tools/call, resources/read) on to the MCP server. */
  onMcpRequest?(method: string, params: Record<string, unknown>): unknown;
  /** The server takes tasks: tasks/get, tasks/result and tasks/cancel are passed on as well. */
  readonly serverTasks?: boolean;
  readonly serverName?: string;
  /** Stable for what shall share storage; the bridge's own unless given. */
  readonly serverIdentity?: string;
  /** The tool the app belongs to; without one it gets no tool notices. */
  readonly toolName?: string;
}

/** The bridge between host and sandbox as a hook: gives the place to show the app in, and what can be told to it. */
export const useSandboxBridge = (options: SandboxBridgeOptions): McpAppState =>
  useMcpApp(useBridgeOptions(options));

/** The same as options of an app. */
export const useBridgeOptions = <O extends SandboxBridgeOptions>(options: O): O & McpAppOptions => {
  const latest = useRef(options);
  latest.current = options;
  const [ownIdentity] = useState(createIdentity);
  const { serverName = 'server', serverIdentity = ownIdentity, serverTasks = false } = options;
  const { toolName, resource } = options;
  const server = useMemo(() => {
    const ask = (method: string, params: Record<string, unknown>): unknown => {
      const { onMcpRequest } = latest.current;
      if (!onMcpRequest) throw new CasementError('tool-failed', `Nobody passes ${method} on to the server.`);
      return onMcpRequest(method, params);
    };
    const names = { name: serverName, identity: serverIdentity };
    const askTask = (method: string) => (taskId: string) => ask(`tasks/${method}`, { taskId });
    const tasks = { get: askTask('get'), result: askTask('result'), cancel: askTask('cancel') };
    return createFunctionPort(names, {
      listTools: () => ask('tools/list', {}),
      callTool: (params) => ask('tools/call', params),
      ...(serverTasks ? { tasks } : {}),
      readResource: (params, { caller }) =>
        caller !== 'app' && params.uri === latest.current.resource.uri
          ? { contents: [latest.current.resource] }
          : ask('resources/read', params),
    });
  }, [serverName, serverIdentity, serverTasks]);
  return {
    ...options,
    server,
    resourceUri: resource.uri,
    // Only the name is known; without an inputSchema the app is told of no tool.
    ...(toolName === undefined ? {} : { tool: { name: toolName } as Tool }),
  };
};

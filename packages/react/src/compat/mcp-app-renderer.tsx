'use client';

import type { MountedApp } from '@casement/host';
import { forwardRef } from 'react';
import type { McpAppProps } from '../app/mcp-app.js';
import { McpApp } from '../app/mcp-app.js';
import type { SandboxBridgeOptions } from './use-sandbox-bridge.js';
import { useBridgeOptions } from './use-sandbox-bridge.js';

/** The props of `McpAppRenderer`: those of the bridge, and how `McpApp` looks. */
export type McpAppRendererProps = SandboxBridgeOptions & Omit<McpAppProps, 'server' | 'tool' | 'resourceUri'>;

/** `McpApp` for a resource that is there and a function that passes requests on to its server. */
export const McpAppRenderer = forwardRef<MountedApp | null, McpAppRendererProps>(
  function McpAppRenderer(props, ref) {
    return <McpApp {...useBridgeOptions(props)} ref={ref} />;
  },
);

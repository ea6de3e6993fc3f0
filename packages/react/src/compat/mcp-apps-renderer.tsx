'use client';

import { createFunctionPort } from '@casement/protocol/functions';
import { lazy, Suspense } from 'react';
import { McpApp } from '../app/mcp-app.js';
import type { MCPAppsRendererProps } from './known-app.js';
import { useMcpHost } from './mcp-host.js';

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

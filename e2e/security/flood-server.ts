import { join } from 'node:path';
import type { StdioServerConfig } from '../../packages/gateway/src/facts/server-config.js';
import { stdio } from '../../packages/gateway/src/gateway.test-support.js';

const fixture = join(import.meta.dirname, '../../packages/gateway/test-fixtures/flood-server.mjs');

/** A server whose tool `flood` pours out what it is told to. */
export const floodServer = (name: string): StdioServerConfig => stdio(name, [], { args: [fixture] });

/** The arguments of that tool. */
export const flood = (kind: string, more: Record<string, unknown>) => ({ arguments: { kind, ...more } });

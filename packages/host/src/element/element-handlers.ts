import type { CallToolResult, ReadResourceResult } from '@casement/protocol';
import { CasementError, parseCallToolResult, parseReadResourceResult } from '@casement/protocol';
import type { ServerPort } from '../core/server-port.js';
import { ask } from './element-questions.js';
import type { McpAppSettings } from './element-settings.js';

/** Loaded on demand. Runs a tool by the page's handler, or by whoever answers the event. */
export const callTool = async (
  target: EventTarget,
  { on_tools_call: handle }: Readonly<McpAppSettings>,
  params: Parameters<ServerPort['callTool']>[0],
  { caller, signal }: Parameters<ServerPort['callTool']>[1],
): Promise<CallToolResult> => {
  const options = signal ? { signal } : {};
  const answer = handle
    ? named(() => handle(params, options), 'tool-failed')
    : ask(target, 'mcp-app-tools-call', { ...params, caller, ...options });
  if (answer) return parseCallToolResult(await answer);
  throw new CasementError('tool-not-found', 'This host does not run tools for apps.', {
    hint: 'Set on_tools_call, give a server, or answer mcp-app-tools-call.',
  });
};

/** Reads a resource by the page's handler, or by whoever answers the event. */
export const readResource = async (
  target: EventTarget,
  { on_resources_read: handle }: Readonly<McpAppSettings>,
  params: Parameters<ServerPort['readResource']>[0],
  { caller, signal }: Parameters<ServerPort['readResource']>[1],
): Promise<ReadResourceResult> => {
  const options = signal ? { signal } : {};
  const answer = handle
    ? named(() => handle(params, options), caller === 'app' ? 'resource-refused' : undefined)
    : ask(target, 'mcp-app-resources-read', { ...params, caller, ...options });
  if (answer) return parseReadResourceResult(await answer);
  throw new CasementError('resource-refused', 'This host does not read resources for apps.', {
    hint: 'Set on_resources_read, give a server, or answer mcp-app-resources-read.',
  });
};

/** What a handler throws for an app is the reason the app is told (S1-54): only a named error is passed on with its words. */
const named = async <T>(
  run: () => T | Promise<T>,
  code: 'tool-failed' | 'resource-refused' | undefined,
): Promise<T> => {
  try {
    return await run();
  } catch (cause) {
    if (cause instanceof CasementError || !code) throw cause;
    throw new CasementError(code, cause instanceof Error ? cause.message : String(cause), { cause });
  }
};

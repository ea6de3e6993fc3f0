import { CasementError } from '@casement/protocol/start';
import type { ServerPort } from '@casement/protocol/ports';
import { ask } from './element-questions.js';
import type { McpAppSettings } from './element-settings.js';

export { answerHook } from './element-questions.js';

/** Loaded on demand. Runs a tool by the page's handler, or by whoever answers the event. */
export const callTool = async (
  target: EventTarget,
  { on_tools_call: handle }: Readonly<McpAppSettings>,
  params: Parameters<ServerPort['callTool']>[0],
  { caller, signal }: Parameters<ServerPort['callTool']>[1],
): Promise<unknown> => {
  const options = signal ? { signal } : {};
  if (handle) return handle(params, options);
  const answer = ask(target, 'mcp-app-tools-call', { ...params, caller, ...options });
  if (answer) return answer;
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
): Promise<unknown> => {
  const options = signal ? { signal } : {};
  if (handle) return handle(params, options);
  const answer = ask(target, 'mcp-app-resources-read', { ...params, caller, ...options });
  if (answer) return answer;
  throw new CasementError('resource-refused', 'This host does not read resources for apps.', {
    hint: 'Set on_resources_read, give a server, or answer mcp-app-resources-read.',
  });
};

import { createFunctionAnswers } from '@casement/protocol/answers';
import type { ServerPort } from '@casement/protocol/ports';
import { CasementError } from '../core/loaded/loaded.js';
import { ask } from './element-questions.js';
import type { McpAppSettings } from './element-settings.js';

export { answerHook } from './element-questions.js';

type Answers = Pick<ServerPort, 'callTool' | 'readResource'>;

/** Loaded on demand. The page's handlers and listeners as a server; what they answer is parsed like a server's word. */
export const createElementHandlers = (
  target: EventTarget,
  settings: Readonly<McpAppSettings>,
  name: string,
): Answers =>
  createFunctionAnswers(name, {
    callTool: (params, options) => callTool(target, settings, params, options),
    readResource: (params, options) => readResource(target, settings, params, options),
  });

/** Runs a tool by the page's handler, or by whoever answers the event. */
const callTool = async (
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
const readResource = async (
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

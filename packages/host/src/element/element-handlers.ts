import type { ErrorCode } from '@casement/protocol';
import { createFunctionAnswers } from '@casement/protocol/answers';
import type { ServerPort } from '@casement/protocol/ports';
import { CasementError } from '../core/loaded/loaded.js';
import type { fire } from './element-events.js';
import { ask } from './element-questions.js';
import type { McpAppSettings } from './element-settings.js';

export { answerHook } from './element-questions.js';

type Answers = Pick<ServerPort, 'callTool' | 'readResource'>;

/** Loaded on demand. The page's handlers, else whoever answers the event; what they answer is parsed like a server's word. */
export const createElementHandlers = (
  target: EventTarget,
  settings: Readonly<McpAppSettings>,
  name: string,
  fireEvent: typeof fire,
): Answers =>
  createFunctionAnswers(name, {
    async callTool(params, { caller, signal }) {
      const { on_tools_call: handle } = settings;
      const options = signal ? { signal } : {};
      if (handle) return handle(params, options);
      const event = 'mcp-app-tools-call';
      const answer = ask(target, event, { ...params, caller, ...options }, fireEvent);
      return answer ?? refuse('tool-not-found', 'run tools', 'on_tools_call', event);
    },
    async readResource(params, { caller, signal }) {
      const { on_resources_read: handle } = settings;
      const options = signal ? { signal } : {};
      if (handle) return handle(params, options);
      const event = 'mcp-app-resources-read';
      const answer = ask(target, event, { ...params, caller, ...options }, fireEvent);
      return answer ?? refuse('resource-refused', 'read resources', 'on_resources_read', event);
    },
  });

const refuse = (code: ErrorCode, what: string, handler: string, event: string): never => {
  throw new CasementError(code, `This host does not ${what} for apps.`, {
    hint: `Set ${handler}, give a server, or answer ${event}.`,
  });
};

import type { ServerPort } from '@casement/host';
import type { CallToolResult, ReadResourceResult, Tool } from '@casement/protocol';
import { CasementError, isRecord } from '@casement/protocol/basics';

/** The functions that stand for a server; each gives what MCP's method of that name gives. */
export interface PortHandlers {
  listTools(): unknown;
  callTool(params: { name: string; arguments?: Record<string, unknown> }): unknown;
  readResource: (...read: Parameters<ServerPort['readResource']>) => unknown;
}

/** Asks one of them: an answer without its list is no answer, and what is thrown is named, so that an app hears the words. */
export const askHandler = async <T extends object>(field: string, ask: () => unknown): Promise<T> => {
  let answer;
  try {
    answer = await ask();
  } catch (cause) {
    if (cause instanceof CasementError) throw cause;
    throw new CasementError('tool-failed', cause instanceof Error ? cause.message : String(cause), { cause });
  }
  // What the list holds is checked where it is used.
  if (isRecord(answer) && Array.isArray(answer[field])) return answer as T;
  throw new CasementError('server-garbage', `The answer has no list of ${field}.`);
};

/** A port over functions. `@casement/host/ports` has one that can do more; this one costs next to nothing. */
export const createHandlerPort = (name: string, identity: string, handlers: PortHandlers): ServerPort => ({
  name,
  identity,
  listTools: async () => (await askHandler<{ tools: Tool[] }>('tools', () => handlers.listTools())).tools,
  callTool: (params) => askHandler<CallToolResult>('content', () => handlers.callTool(params)),
  readResource: (...read) => askHandler<ReadResourceResult>('contents', () => handlers.readResource(...read)),
  listResources: async () => [],
  subscribe: () => () => undefined,
});

/** Names what nobody named: nothing else shares its origin. */
export const toIdentity = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(36)).join('');

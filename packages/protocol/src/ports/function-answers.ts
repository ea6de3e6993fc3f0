import { CasementError } from '../errors.js';
import type { ErrorCode } from '../errors.js';
import { parseCallToolResult, parseReadResourceResult } from '../messages/parse-values.js';
import { toPortFailure } from './port-failure.js';
import type { CallProgress, Caller, ServerPort } from './server-port.js';

/** A value, now or later. */
export type Awaitable<T> = T | PromiseLike<T>;

/** The options a call is made with. */
interface CallOptions {
  readonly caller: Caller;
  readonly signal?: AbortSignal;
  onProgress?(progress: CallProgress): void;
}

/** The functions that answer apps. */
export interface AnsweringHandlers {
  callTool?(
    params: { name: string; arguments?: Record<string, unknown>; task?: { ttl?: number } },
    options: CallOptions,
  ): Awaitable<unknown>;
  readResource?(
    params: { uri: string },
    options: { readonly caller: Caller; readonly signal?: AbortSignal },
  ): Awaitable<unknown>;
}

/** Runs a function for a request; what it throws is named, and stays with the page unless it is a named error. */
type RunHandler = <T>(
  method: string,
  task: () => Awaitable<T>,
  otherwise: ErrorCode,
  signal?: AbortSignal,
) => Promise<T>;

/** Makes what runs the functions of one server. */
export const createRunHandler =
  (server: string): RunHandler =>
  async (method, task, otherwise, signal) => {
    try {
      return await task();
    } catch (error) {
      throw toPortFailure(error, { server, method, signal }, otherwise);
    }
  };

/** Makes the two members of a port that apps use most, over functions; answers are parsed like those of any server. */
export const createFunctionAnswers = (
  name: string,
  handlers: AnsweringHandlers,
  run: RunHandler = createRunHandler(name),
): Pick<ServerPort, 'callTool' | 'readResource'> => ({
  async callTool(params, options) {
    if (handlers.callTool === undefined)
      throw new CasementError('tool-not-found', `The server "${name}" runs no tools.`);
    const call = handlers.callTool.bind(handlers, params, options);
    return parseCallToolResult(await run('tools/call', call, 'tool-failed', options.signal));
  },
  async readResource(params, options) {
    if (handlers.readResource === undefined)
      throw new CasementError('resource-missing', `The server "${name}" has no resources.`);
    const read = handlers.readResource.bind(handlers, params, options);
    return parseReadResourceResult(await run('resources/read', read, 'resource-missing', options.signal));
  },
});

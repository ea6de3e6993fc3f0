import { parseCallToolResult, parseReadResourceResult, parseTask } from '../messages/parse-values.js';
import type { Tool } from '../messages/tool-schemas.js';
import type { CallProgress, PortNames, ServerPort } from './server-port.js';
import { watchClient } from './client-watch.js';
import { createClientRequests, readOffer, takesTasks } from './official-client.js';
import type { ClientRequestOptions, OfficialClient } from './official-client.js';
import { toPortFailure } from './port-failure.js';
import { createResourceSubscriptions } from './resource-subscriptions.js';
import { readIdentity } from './server-identity.js';
import { readPages, serverLists } from './server-lists.js';
import type { ListedItem, ListKind } from './server-lists.js';

/** A server reached through a connected official MCP client. */
interface ClientSource extends PortNames {
  readonly client: OfficialClient;
}

const requestMs = 60_000;

/** How one request is made. */
interface Asking {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: CallProgress) => void) | undefined;
}

/** Creates a port over a connected official client, of either generation. */
export const createClientPort = ({ client, name, identity, onFinding }: ClientSource): ServerPort => {
  const watch = watchClient(client, name);
  const requests = createClientRequests(client);
  let tools: ReadonlyMap<string, Tool> = new Map();

  const offers = (...path: string[]): unknown => readOffer(client.getServerCapabilities(), path);

  const run = async <T>(
    method: string,
    { signal, onProgress }: Asking,
    ask: (options: ClientRequestOptions) => Promise<T>,
  ): Promise<T> => {
    const options: ClientRequestOptions = {
      timeout: requestMs,
      // Progress keeps a long call alive, but not for ever (D20).
      resetTimeoutOnProgress: true,
      maxTotalTimeout: requestMs * 10,
      ...(signal && { signal }),
      ...(onProgress && { onprogress: (progress) => onProgress(toProgress(progress)) }),
    };
    try {
      return await ask(options);
    } catch (error) {
      throw toPortFailure(error, { server: name, method, signal }, 'server-unreachable');
    }
  };
  const request = (method: string, params: Record<string, unknown>, asking: Asking = {}): Promise<unknown> =>
    run(method, asking, (options) => requests.request(method, params, options));

  const list = async <K extends ListKind>(kind: K): Promise<ListedItem<K>[]> => {
    const { method, capability } = serverLists[kind];
    if (offers(capability) === undefined) return [];
    return readPages(kind, (cursor) => request(method, cursor === undefined ? {} : { cursor }), onFinding);
  };

  const followed = new Map<string, (options: ClientRequestOptions) => Promise<void>>();
  const subscriptions = createResourceSubscriptions({
    async open(uri) {
      followed.set(
        uri,
        await run('resources/subscribe', {}, (options) => requests.followResource(uri, options)),
      );
    },
    async close(uri) {
      const end = followed.get(uri);
      followed.delete(uri);
      if (end) await run('resources/unsubscribe', {}, end);
    },
  });

  return {
    name,
    identity: readIdentity(identity),
    async listTools() {
      const listed = await list('tools');
      tools = new Map(listed.toReversed().map((tool) => [tool.name, tool]));
      return listed;
    },
    async callTool(params, { signal, onProgress }) {
      const result = await run('tools/call', { signal, onProgress }, (options) =>
        requests.callTool(params, tools.get(params.name), options),
      );
      return parseCallToolResult(result);
    },
    readResource: async ({ uri }, { signal }) =>
      parseReadResourceResult(await request('resources/read', { uri }, { signal })),
    listResources: () => list('resources'),
    ...(offers('resources') !== undefined && { listResourceTemplates: () => list('templates') }),
    ...(offers('prompts') !== undefined && { listPrompts: () => list('prompts') }),
    ...(offers('resources', 'subscribe') === true && {
      subscribeResource: ({ uri }: { uri: string }) => subscriptions.add(uri),
      unsubscribeResource: ({ uri }: { uri: string }) => subscriptions.remove(uri),
    }),
    ...(takesTasks(client.getServerCapabilities()) && {
      tasks: {
        get: async (taskId: string, asking: Asking = {}) =>
          parseTask(await request('tasks/get', { taskId }, asking)),
        result: async (taskId: string, asking: Asking = {}) =>
          parseCallToolResult(await request('tasks/result', { taskId }, asking)),
        cancel: async (taskId: string) => void (await request('tasks/cancel', { taskId })),
      },
    }),
    subscribe: watch.subscribe,
  };
};

const toProgress = ({ progress, total, message }: CallProgress): CallProgress => ({
  progress,
  ...(total === undefined ? {} : { total }),
  ...(message === undefined ? {} : { message: message.slice(0, 500) }),
});

import { isRecord, parseCallToolResult, parseReadResourceResult, parseTask } from '@casement/protocol';
import type { Tool } from '@casement/protocol';
import type { CallProgress, ServerPort } from '../core/server-port.js';
import { watchClient } from './client-watch.js';
import { callModernTool, requestAny } from './official-client.js';
import type { ClientRequestOptions } from './official-client.js';
import { toPortFailure } from './port-failure.js';
import type { ClientSource } from './port-source.js';
import { createResourceSubscriptions } from './resource-subscriptions.js';
import { readIdentity } from './server-identity.js';
import { takesTasks } from './server-capabilities.js';
import { readPages, serverLists } from './server-lists.js';
import type { ListedItem, ListKind } from './server-lists.js';

const requestMs = 60_000;

/** How one request is made. */
interface Asking {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: CallProgress) => void) | undefined;
}

/** Creates a port over a connected official client, of either generation. */
export const createClientPort = ({ client, name, identity, onFinding }: ClientSource): ServerPort => {
  const watch = watchClient(client, name);
  const isModern = (): boolean => client.getProtocolEra?.() === 'modern';
  let tools: ReadonlyMap<string, Tool> = new Map();

  const offers = (group: string, feature?: string): boolean => {
    const capabilities = client.getServerCapabilities();
    const offered: unknown = isRecord(capabilities) ? capabilities[group] : undefined;
    return feature === undefined ? offered !== undefined : isRecord(offered) && offered[feature] === true;
  };

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
    run(method, asking, (options) => requestAny(client, method, params, options));

  const list = async <K extends ListKind>(kind: K): Promise<ListedItem<K>[]> => {
    const { method, capability } = serverLists[kind];
    if (!offers(capability)) return [];
    return readPages(kind, (cursor) => request(method, cursor === undefined ? {} : { cursor }), onFinding);
  };

  const listening = new Map<string, { close(): Promise<void> }>();
  const subscriptions = createResourceSubscriptions({
    async open(uri) {
      if (!isModern()) {
        await request('resources/subscribe', { uri });
        return;
      }
      // The client types its filter; this is its shape.
      const filter = { resourceSubscriptions: [uri] } as never;
      const opened = await run('subscriptions/listen', {}, async () => client.listen?.(filter));
      if (opened) listening.set(uri, opened);
    },
    async close(uri) {
      if (!isModern()) {
        await request('resources/unsubscribe', { uri });
        return;
      }
      const opened = listening.get(uri);
      listening.delete(uri);
      await opened?.close();
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
      const asking = { signal, onProgress };
      const result = await (isModern()
        ? run('tools/call', asking, (options) =>
            callModernTool(client, params, tools.get(params.name), options),
          )
        : request('tools/call', { ...params }, asking));
      return parseCallToolResult(result);
    },
    readResource: async ({ uri }, { signal }) =>
      parseReadResourceResult(await request('resources/read', { uri }, { signal })),
    listResources: () => list('resources'),
    ...(offers('resources') && { listResourceTemplates: () => list('templates') }),
    ...(offers('prompts') && { listPrompts: () => list('prompts') }),
    ...(offers('resources', 'subscribe') && {
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

import { CasementError } from '../errors.js';
import { isRecord } from '../is-record.js';
import type { ReadResourceResult } from '../messages/content-schemas.js';
import { parseCallToolResult, parseReadResourceResult, parseTask } from '../messages/parse-values.js';
import type { CallProgress, PortFinding, ServerEvent, ServerPort } from './server-port.js';
import type { GatewayEvents } from './gateway-events.js';
import type { GatewayRequests } from './gateway-requests.js';
import { createGatewaySubscriptions } from './gateway-subscriptions.js';
import { takesTasks } from './official-client.js';
import { readItems, serverLists } from './server-lists.js';
import type { ListedItem, ListKind } from './server-lists.js';

/** What the gateway says of a server before anything is asked of it. */
export interface GatewayServerSummary {
  readonly name: string;
  /** What people see instead of the name, if the gateway gives one. */
  readonly label?: string | undefined;
  readonly identity: string;
  /** Unknown while the server is not connected. */
  readonly capabilities?: Record<string, unknown> | undefined;
}

/** Creates the host's way to one server, over the gateway's HTTP API and event stream. */
export const createGatewayPort = (
  link: GatewayRequests,
  events: GatewayEvents,
  { name, label = name, identity, capabilities }: GatewayServerSummary,
  onFinding?: (finding: PortFinding) => void,
): ServerPort => {
  const base = `/servers/${encodeURIComponent(name)}`;
  const list = async <K extends ListKind>(kind: K, path: string): Promise<ListedItem<K>[]> => {
    const { body } = await link.get(`${base}${path}`);
    return readItems(kind, body[serverLists[kind].key], onFinding);
  };
  const subscriptions = createGatewaySubscriptions(link, events, base);
  const readings = createKnownReadings();
  const offers = (group: string): unknown => (capabilities ? capabilities[group] : {});
  const resources = offers('resources');
  const canSubscribe = capabilities === undefined || (isRecord(resources) && resources['subscribe'] === true);

  return {
    name: label,
    identity,
    listTools: () => list('tools', '/tools'),
    listResources: () => list('resources', '/resources'),
    ...(resources !== undefined && {
      listResourceTemplates: () => list('templates', '/resources/templates'),
    }),
    ...(offers('prompts') !== undefined && { listPrompts: () => list('prompts', '/prompts') }),
    async callTool(params, { caller, signal, onProgress }) {
      if (signal?.aborted) throw new CasementError('cancelled', 'The call was cancelled.');
      const callId = crypto.randomUUID();
      const dropped = new AbortController();
      // The server is told why; dropping the request alone would end the call without a reason.
      const cancel = (): void => {
        const reason = typeof signal?.reason === 'string' ? signal.reason : 'The call was cancelled.';
        void link
          .post(`${base}/calls/${callId}/cancel`, { reason })
          .catch(() => undefined)
          .finally(() => dropped.abort());
      };
      signal?.addEventListener('abort', cancel, { once: true });
      const stop = onProgress && events.subscribe((event) => tellProgress(event, callId, onProgress));
      try {
        const call = { ...params, caller, callId };
        const { body, bytes } = await link.post(`${base}/tools/call`, call, dropped.signal);
        return noteResultSize(parseCallToolResult(body['result']), bytes);
      } finally {
        signal?.removeEventListener('abort', cancel);
        stop?.();
      }
    },
    async readResource(params, { caller, signal }) {
      const before = readings.get(params.uri);
      const known = before ? { known: before.tag } : {};
      const { body, bytes } = await link.post(
        `${base}/resources/read`,
        { ...params, caller, ...known },
        signal,
      );
      if (before && body['unchanged'] === true) return before.result;
      const result = noteResultSize(parseReadResourceResult(body['result']), bytes);
      readings.keep(params.uri, bytes <= MAX_KNOWN_BYTES ? body['tag'] : undefined, result);
      return result;
    },
    ...(canSubscribe && {
      subscribeResource: ({ uri }: { uri: string }) => subscriptions.add(uri),
      unsubscribeResource: ({ uri }: { uri: string }) => subscriptions.remove(uri),
    }),
    ...((capabilities === undefined || takesTasks(capabilities)) && {
      tasks: {
        async get(taskId: string, { signal }: { signal?: AbortSignal } = {}) {
          return parseTask((await link.post(`${base}/tasks/get`, { taskId }, signal)).body['result']);
        },
        async result(taskId: string, { signal }: { signal?: AbortSignal } = {}) {
          const { body, bytes } = await link.post(`${base}/tasks/result`, { taskId }, signal);
          return noteResultSize(parseCallToolResult(body['result']), bytes);
        },
        async cancel(taskId: string) {
          await link.post(`${base}/tasks/cancel`, { taskId });
        },
      },
    }),
    subscribe: (listener) => {
      const isBack = createReturnWatch(name);
      return events.subscribe(
        (event) => {
          const told = isBack(event) ? ({ type: 'reconnected' } as const) : toServerEvent(event, name);
          if (told) listener(told);
        },
        { onUnreachable: () => listener({ type: 'lost', reason: 'The gateway cannot be reached.' }) },
      );
    },
  };
};

/** The documents that are kept of one server; a page that shows an app holds its text anyway. */
const MAX_KNOWN = 4;
/** A larger one travels again: an app can read what its server makes up, and the page would hold it. */
const MAX_KNOWN_BYTES = 8 * 1024 * 1024;

/** The last answers with a document of an app, by address, each with the gateway's tag for it. */
const createKnownReadings = () => {
  const readings = new Map<string, { readonly tag: string; readonly result: ReadResourceResult }>();
  return {
    get: (uri: string) => readings.get(uri),
    keep(uri: string, tag: unknown, result: ReadResourceResult): void {
      readings.delete(uri);
      if (typeof tag !== 'string') return;
      readings.set(uri, { tag, result });
      if (readings.size > MAX_KNOWN) readings.delete(readings.keys().next().value ?? '');
    },
  };
};

const tellProgress = (event: unknown, callId: string, onProgress: (progress: CallProgress) => void): void => {
  if (!isRecord(event) || event['type'] !== 'progress' || event['callId'] !== callId) return;
  const { progress, total, message } = event;
  if (typeof progress !== 'number') return;
  onProgress({
    progress,
    ...(typeof total === 'number' && { total }),
    ...(typeof message === 'string' && { message }),
  });
};

const changes: ReadonlyMap<unknown, ServerEvent> = new Map([
  ['tools', { type: 'tools-changed' }],
  ['resources', { type: 'resources-changed' }],
  ['prompts', { type: 'prompts-changed' }],
] as const);

/** Tells whether an event says that the server is ready again after it was not. */
const createReturnWatch = (name: string): ((event: unknown) => boolean) => {
  let wasAway = false;
  return (event) => {
    if (!isRecord(event) || event['type'] !== 'server') return false;
    const server = event['server'];
    if (!isRecord(server) || server['name'] !== name) return false;
    const isBack = wasAway && server['status'] === 'ready';
    wasAway = server['status'] !== 'ready';
    return isBack;
  };
};

const toServerEvent = (event: unknown, name: string): ServerEvent | undefined => {
  if (!isRecord(event)) return undefined;
  const { type, server, uri } = event;
  if (type === 'list-changed' && server === name) return changes.get(event['list']);
  if (type === 'resource-updated' && server === name && typeof uri === 'string') return { type, uri };
  if (type !== 'server' || !isRecord(server) || server['name'] !== name) return undefined;
  const { status, error } = server;
  if (status !== 'exited' && status !== 'failed') return undefined;
  const message = isRecord(error) ? error['message'] : undefined;
  const reason = `The server ${status === 'exited' ? 'ended' : 'failed'}.`;
  return { type: 'lost', reason: typeof message === 'string' ? message : reason };
};

// Counted where the bytes are at hand: writing a large result out again only to measure it would stall the page.
const sizes = new WeakMap<object, number>();

/** Notes how many bytes a result took on its way to the page. */
const noteResultSize = <T extends object>(result: T, bytes: number): T => {
  sizes.set(result, bytes);
  return result;
};

/** How many bytes a result took on its way to the page, when it came through a gateway port. */
export const sizeOfResult = (result: object): number | undefined => sizes.get(result);

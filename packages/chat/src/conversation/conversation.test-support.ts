import type { CallToolResult, Tool } from '@casement/protocol';
import type { AppSnapshot } from '@casement/host';
import type { ServerPort, ServerHandlers } from '@casement/protocol/ports';
import { createHandlersPort } from '@casement/protocol/ports';
import type {
  ChatModel,
  Conversation,
  ConversationApp,
  ConversationOptions,
  ModelEvent,
  ModelRequest,
} from '../index.js';
import type { DynamicToolPart } from '../message/message.js';
import { createConversation } from '../index.js';

/** What a model does in one step: the events it says, or whatever else it takes. */
export type Step = readonly ModelEvent[] | ChatModel['stream'];

/** A model that does one step after the other, and says "done" when there are none left. */
export const createModel = (...steps: readonly Step[]): ChatModel & { readonly requests: ModelRequest[] } => {
  const requests: ModelRequest[] = [];
  return {
    name: 'by hand',
    requests,
    async *stream(request, options) {
      requests.push(request);
      const step = steps[requests.length - 1] ?? say('done');
      if (typeof step === 'function') yield* step(request, options);
      else yield* step;
    },
  };
};

const readBy = (next: () => Promise<IteratorResult<ModelEvent>>): AsyncIterable<ModelEvent> => ({
  [Symbol.asyncIterator]: () => ({ next }),
});

/** A step in which nothing ever comes. */
export const hang: ChatModel['stream'] = () => readBy(() => new Promise(() => undefined));

/** A step that ends when it is aborted. */
export const waitForEnd: ChatModel['stream'] = (_, { signal }) =>
  readBy(
    () =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ done: true, value: undefined }));
      }),
  );

/** A step that fails. */
export const fail =
  (error: Error): Step =>
  () =>
    readBy(() => Promise.reject(error));

/** A step that says something. */
export const say = (text: string): ModelEvent[] => [
  { type: 'text', delta: text },
  { type: 'finish', reason: 'stop' },
];

/** A step that calls a tool. */
export const call = (name: string, text: string, id = 'call-a'): ModelEvent[] => [
  { type: 'tool-call', id, name, text },
  { type: 'finish', reason: 'tool-calls' },
];

/** A tool as a server lists it. */
export const toTool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  inputSchema: { type: 'object' },
  // It only reads, so that a model may call it unasked.
  annotations: { readOnlyHint: true },
  ...more,
});

/** A server whose tools echo their arguments. */
export const createEcho = (
  name: string,
  tools: readonly Tool[],
  handlers: Partial<ServerHandlers> = {},
): ServerPort & { readonly calls: unknown[] } => {
  const calls: unknown[] = [];
  const port = createHandlersPort({
    name,
    identity: `id-${name.replace(' ', '-')}`,
    handlers: {
      listTools: () => tools,
      callTool: (params, { caller }) => {
        calls.push({ ...params, caller });
        return { content: [{ type: 'text', text: `${name}:${JSON.stringify(params.arguments)}` }] };
      },
      ...handlers,
    },
  });
  return { ...port, calls };
};

/** A conversation with ids that count. */
export const converse = (options: ConversationOptions): Conversation => {
  let count = 0;
  return createConversation({ createId: (kind) => `${kind}${(count += 1)}`, ...options });
};

/** All calls of the conversation. */
export const toCalls = (conversation: Conversation): DynamicToolPart[] =>
  conversation
    .getSnapshot()
    .messages.flatMap(({ parts }) =>
      parts.filter((part): part is DynamicToolPart => part.type === 'dynamic-tool'),
    );

/** The texts of the conversation, one line per part. */
export const toTexts = (conversation: Conversation): string[] =>
  conversation
    .getSnapshot()
    .messages.flatMap(({ role, parts }) =>
      parts.flatMap((part) => ('text' in part ? [`${role}: ${part.text}`] : [])),
    );

/** Text blocks of the last user message a model was sent. */
export const toUserTexts = ({ messages }: ModelRequest): string[] => {
  const last = messages.findLast(({ role }) => role === 'user');
  return last?.role === 'user'
    ? last.content.map((block) => ('text' in block ? String(block.text) : block.type))
    : [];
};

type View = ReturnType<ConversationApp['getSnapshot']>;

/** An app of the server "maps" that offers tools and says what a test wants. */
export const createApp = (id: string, view: Partial<View> = {}, answer?: () => Promise<CallToolResult>) => {
  const listeners = new Set<() => void>();
  const calls: unknown[] = [];
  let snapshot: View = {
    status: 'ready',
    session: `session-${id}`,
    appInfo: { name: 'Map', version: '1.2' },
    appTools: [],
    ...view,
  };
  const app: ConversationApp = {
    id,
    server: { name: 'maps', identity: 'id-maps' },
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    callAppTool: async (name, args) => {
      calls.push([name, args]);
      return answer ? answer() : { content: [{ type: 'text', text: 'moved' }] };
    },
  };
  const change = (patch: Partial<View>): void => {
    snapshot = { ...snapshot, ...patch };
    for (const listener of [...listeners]) listener();
  };
  return { app, change, calls };
};

/** A tool as an app offers it. */
export const toAppTool = (name: string, more: Partial<Tool> = {}): AppSnapshot['appTools'][number] => ({
  qualifiedName: `app_x__${name}`,
  tool: { name, inputSchema: { type: 'object' }, ...more },
  callable: true,
});

import { createConsentStore } from '@casement/protocol/consents';
import { createConversationApps } from '../apps/conversation-apps.js';
import type { CreateMessage } from '../apps/sampling.js';
import { modelFailed, toFailure } from '../conversation-failure.js';
import { defaultLimits } from '../conversation-limits.js';
import type { ConversationMessage } from '../message/message.js';
import { createCallRecord, createModelRecord } from '../model/model-record.js';
import { toModelRequest } from '../request/model-request.js';
import { createApprovalQuestions } from '../tools/approvals.js';
import type { ToolOffer } from '../tools/offered-tools.js';
import { isSameTool, toToolOffer } from '../tools/offered-tools.js';
import { createToolLists } from '../tools/tool-lists.js';
import { createConversationStore } from '../turn/conversation-store.js';
import { runTurn } from '../turn/run-turn.js';
import type { Turn } from '../turn/turn.js';
import type { AppMessage, Conversation, ConversationOptions } from './conversation-types.js';
import { createTurnQueue } from './turn-queue.js';

/** Creates a conversation; it asks the servers for their tools at once and the model when something is sent. */
export const createConversation = (options: ConversationOptions): Conversation => {
  const limits = { ...defaultLimits, ...options.limits };
  const createId = options.createId?.bind(options) ?? createIds();
  const session = `chat-${createToken()}`;
  const calls = createCallRecord(options.recording, session);
  const closed = new AbortController();
  let model = options.model;
  let offer: ToolOffer = { tools: [], clashes: [] };

  const store = createConversationStore({
    status: 'idle',
    messages: options.messages ?? [],
    queued: [],
    tools: [],
    clashes: [],
    problems: [],
    toolCalls: options.toolCallPolicy?.toolCalls ?? 'ask',
    pendingContext: [],
  });
  const questions = createApprovalQuestions(() => showStatus());
  const lists = createToolLists(limits.listMs, () => showOffer());
  const apps = createConversationApps(() => showOffer());

  const showStatus = (): void => {
    const { failure } = store.getSnapshot();
    const busy = questions.size > 0 ? 'waiting' : 'running';
    const status = failure ? 'failed' : queue.isRunning ? busy : 'idle';
    if (status !== store.getSnapshot().status) store.set({ status });
  };
  const showOffer = (): void => {
    offer = toToolOffer(lists.list(), apps.list());
    store.set({
      tools: offer.tools.map(({ name, tool, source }) => ({ name, tool, source })),
      clashes: offer.clashes,
      problems: lists.problems(),
      pendingContext: apps.toPendingContext(store.getSnapshot().messages),
    });
  };
  const append = (message: ConversationMessage): void => {
    const context = apps.toPendingContext(store.getSnapshot().messages);
    store.append(context.length > 0 ? { ...message, context } : message);
    store.set({ pendingContext: [] });
  };
  const toRequest = (messages: readonly ConversationMessage[]) =>
    toModelRequest({ system: options.system, limits, messages, tools: offer.tools });

  /** What every turn needs; the rest is of one turn alone. */
  const shared: Omit<Turn, 'signal' | 'getTools' | 'onCut'> = {
    store,
    questions,
    limits,
    createId,
    memory: options.approvals ?? createConsentStore(),
    maxSteps: options.maxSteps ?? 10,
    policy: options.approve,
    onToolCall: options.onToolCall?.bind(options),
    recordStep: createModelRecord(options.recording, session, 'conversation'),
    recordDecision: calls.decision,
    getToolCalls: () => store.getSnapshot().toolCalls,
    getModel: () => model,
    toRequest: () => toRequest(store.getSnapshot().messages),
    isPresent: (owner) =>
      owner.kind === 'app' ? !owner.gone.aborted : lists.list().some(({ port }) => port === owner.port),
    findNow: ({ owner, tool }) => offer.tools.find((now) => isSameTool(now, owner, tool))?.tool,
  };
  const queue = createTurnQueue({
    store,
    append,
    closed: closed.signal,
    onChange: showStatus,
    async runTurn(signal, onCut) {
      const getTools = async (step: number): Promise<ToolOffer['tools']> => {
        if (step === 0) lists.recover();
        await lists.settle(signal);
        return offer.tools;
      };
      try {
        await runTurn({ ...shared, signal, onCut, getTools });
      } catch (error) {
        if (!signal.aborted) store.set({ failure: toFailure(error, modelFailed) });
      }
    },
  });
  lists.setServers(options.servers ?? []);
  if (store.getSnapshot().toolCalls === 'run') calls.setting('run');

  /** Few apps ask a model: what it takes is loaded with the first question. */
  let sampling: Promise<CreateMessage> | undefined;
  const loadSampling = async (): Promise<CreateMessage> => {
    const { createSampling } = await import('../apps/sampling.js');
    return createSampling({
      limits,
      getModel: () => model,
      closed: closed.signal,
      record: createModelRecord(options.recording, session, 'app'),
    });
  };

  return {
    getSnapshot: store.getSnapshot,
    subscribe: store.subscribe,
    send: (text) =>
      text.trim() === ''
        ? Promise.resolve()
        : queue.add({ id: createId('message'), role: 'user', parts: [{ type: 'text', text }] }),
    sendFromApp(message) {
      const { messages, queued } = store.getSnapshot();
      const users = [...messages, ...queued].filter(({ role }) => role === 'user');
      // An app that answers each answer would keep the model going for ever.
      const inRow = users.length - 1 - users.findLastIndex(({ from }) => !from);
      if (closed.signal.aborted || message.content.length === 0 || inRow >= limits.maxAppTurns) return false;
      void queue.add(toAppMessage(message, createId('message')));
      return true;
    },
    createMessage: async (params, settings) => (await (sampling ??= loadSampling()))(params, settings),
    stop: queue.stop,
    retry: queue.retry,
    answerApproval: (toolCallId, answer) => questions.answer(toolCallId, answer),
    setToolCalls(toolCalls) {
      if (toolCalls === store.getSnapshot().toolCalls) return;
      store.set({ toolCalls });
      calls.setting(toolCalls);
    },
    registerApp: (app) => (closed.signal.aborted ? () => undefined : apps.register(app)),
    addItem(item) {
      const id = createId('message');
      store.append({ id, role: 'assistant', parts: [{ type: 'mcp-app', item }] });
      return id;
    },
    setModel: (next) => void (model = next),
    setServers: (servers) => lists.setServers(closed.signal.aborted ? [] : servers),
    refreshTools() {
      lists.recover();
      return lists.settle(closed.signal);
    },
    toModelRequest(draft) {
      const { messages, pendingContext: context } = store.getSnapshot();
      if (draft === undefined) return toRequest(messages);
      const parts = [{ type: 'text', text: draft }] as const;
      return toRequest([...messages, { id: 'draft', role: 'user', parts, context }]);
    },
    close() {
      closed.abort();
      apps.close();
      lists.setServers([]);
    },
  };
};

const toAppMessage = ({ content, app }: AppMessage, id: string): ConversationMessage => ({
  id,
  role: 'user',
  parts: content.map((block) =>
    block.type === 'text' ? { type: 'text', text: block.text } : { type: 'content', content: block },
  ),
  from: { server: app.server, app: app.info?.name ?? app.resource },
});

/** Differs between the conversations of a page. */
const createToken = (): string => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0).toString(36);

/** Ids that differ between the conversations of a page too. */
const createIds = (): ((kind: 'message' | 'call') => string) => {
  const own = createToken();
  let count = 0;
  return (kind) => `${kind}-${own}-${(count += 1)}`;
};

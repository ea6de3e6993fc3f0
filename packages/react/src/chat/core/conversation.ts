import { createConsentStore } from '@casement/protocol/consents';
import { createApprovalQuestions } from './approvals.js';
import { createConversationApps } from './conversation-apps.js';
import { modelFailed, toFailure } from './conversation-failure.js';
import { createConversationStore } from './conversation-store.js';
import type {
  AppMessage,
  Conversation,
  ConversationLimits,
  ConversationMessage,
  ConversationOptions,
} from './conversation-types.js';
import { createCallRecord, createModelRecord } from './model-record.js';
import { toModelRequest } from './model-view.js';
import { createToolLists } from './offered-tools-lists.js';
import type { ToolOffer } from './offered-tools.js';
import { isSameTool, toToolOffer } from './offered-tools.js';
import type { CreateMessage } from './sampling.js';
import { runTurn } from './turn.js';

const defaultLimits: ConversationLimits = {
  maxText: 1_000_000,
  maxInput: 256 * 1024,
  maxCalls: 32,
  taskMs: 600_000,
  listMs: 10_000,
  maxAppTurns: 10,
  maxResult: 400_000,
  maxRequest: 5_000_000,
  silenceMs: 300_000,
  maxSamplingTokens: 4096,
  maxSamplingPerMinute: 10,
};

/** Creates a conversation; it asks the servers for their tools at once and the model when something is sent. */
export const createConversation = (options: ConversationOptions): Conversation => {
  const limits = { ...defaultLimits, ...options.limits };
  const createId = options.createId?.bind(options) ?? createIds();
  const memory = options.approvals ?? createConsentStore();
  const session = `chat-${createToken()}`;
  const record = createModelRecord(options.recording, session, 'conversation');
  let model = options.model;
  let offer: ToolOffer = { tools: [], clashes: [] };
  const calls = createCallRecord(options.recording, session);
  const closed = new AbortController();
  /** Everything that runs now, and what ends the turn of it that is under way. */
  let running: Promise<void> | undefined;
  let turn = new AbortController();
  /** The message of the step that failed, left out when it is tried again. */
  let cutMessage = '';

  const store = createConversationStore({
    status: 'idle',
    messages: options.messages ?? [],
    queued: [],
    tools: [],
    clashes: [],
    problems: [],
    toolCalls: options.policy?.toolCalls ?? 'ask',
    pendingContext: [],
  });
  const showStatus = (): void => {
    const { failure } = store.get();
    const busy = questions.size > 0 ? 'waiting' : 'running';
    const status = failure ? 'failed' : running ? busy : 'idle';
    if (status !== store.get().status) store.set({ status });
  };
  const questions = createApprovalQuestions(() => showStatus());
  const showOffer = (): void => {
    offer = toToolOffer(lists.list(), apps.list());
    store.set({
      tools: offer.tools.map(({ name, tool, source }) => ({ name, tool, source })),
      clashes: offer.clashes,
      problems: lists.problems(),
      pendingContext: apps.toPendingContext(store.get().messages),
    });
  };
  const lists = createToolLists(limits.listMs, () => showOffer());
  const apps = createConversationApps(() => showOffer());
  lists.setServers(options.servers ?? []);
  if (store.get().toolCalls === 'run') calls.setting('run');

  const append = (message: ConversationMessage): void => {
    const context = apps.toPendingContext(store.get().messages);
    store.append(context.length > 0 ? { ...message, context } : message);
    store.set({ pendingContext: [] });
  };
  const toRequest = (messages: readonly ConversationMessage[]) =>
    toModelRequest({ system: options.system, limits, messages, tools: offer.tools });

  const runOne = async (): Promise<void> => {
    cutMessage = '';
    const { signal } = turn;
    try {
      await runTurn({
        store,
        signal,
        questions,
        memory,
        limits,
        createId,
        record,
        policy: options.approve,
        onToolCall: options.onToolCall?.bind(options),
        recordDecision: calls.decision,
        getToolCalls: () => store.get().toolCalls,
        maxSteps: options.maxSteps ?? 10,
        getModel: () => model,
        getTools: async (step) => {
          if (step === 0) lists.recover();
          await lists.settle(signal);
          return offer.tools;
        },
        toRequest: () => toRequest(store.get().messages),
        isPresent: (owner) =>
          owner.kind === 'app' ? !owner.gone.aborted : lists.list().some(({ port }) => port === owner.port),
        findNow: ({ owner, tool }) => offer.tools.find((now) => isSameTool(now, owner, tool))?.tool,
        onCut: (messageId) => (cutMessage = messageId),
      });
    } catch (error) {
      if (!signal.aborted) store.set({ failure: toFailure(error, modelFailed) });
    }
  };
  /** Few apps ask a model: what it takes is loaded with the first question. */
  let sampling: Promise<CreateMessage> | undefined;
  const loadSampling = async (): Promise<CreateMessage> => {
    const { createSampling } = await import('./sampling.js');
    return createSampling({
      limits,
      getModel: () => model,
      closed: closed.signal,
      record: createModelRecord(options.recording, session, 'app'),
    });
  };
  const drive = async (first: () => Promise<void>): Promise<void> => {
    await first();
    for (;;) {
      const [next, ...queued] = store.get().queued;
      if (!next || store.get().failure || closed.signal.aborted) break;
      turn = new AbortController();
      store.set({ queued });
      append(next);
      await runOne();
    }
    // In one go with the look into the queue, so that nothing is queued in between and forgotten.
    running = undefined;
    showStatus();
  };
  const start = (first: () => Promise<void>): Promise<void> => {
    if (!running) {
      turn = new AbortController();
      // Not at once: a subscriber that sends while the first things change must find this running.
      running = Promise.resolve().then(() => drive(first));
      showStatus();
    }
    return running;
  };
  const take = (message: ConversationMessage): Promise<void> => {
    if (closed.signal.aborted) return Promise.resolve();
    store.set({ queued: [...store.get().queued, message] });
    return start(async () => {
      store.set({ failure: undefined });
      showStatus();
    });
  };

  return {
    getSnapshot: store.get,
    subscribe: store.subscribe,
    send: (text) =>
      text.trim() === ''
        ? Promise.resolve()
        : take({ id: createId('message'), role: 'user', parts: [{ type: 'text', text }] }),
    sendFromApp(message) {
      const { messages, queued } = store.get();
      const users = [...messages, ...queued].filter(({ role }) => role === 'user');
      // An app that answers each answer would keep the model going for ever.
      const inRow = users.length - 1 - users.findLastIndex(({ from }) => !from);
      if (closed.signal.aborted || message.content.length === 0 || inRow >= limits.maxAppTurns) return false;
      void take(toAppMessage(message, createId('message')));
      return true;
    },
    createMessage: async (params, settings) => (await (sampling ??= loadSampling()))(params, settings),
    async stop() {
      const { queued } = store.get();
      turn.abort();
      store.set({ queued: [] });
      queued.forEach(append);
      await running;
    },
    retry() {
      if (running || !store.get().failure || closed.signal.aborted) return running ?? Promise.resolve();
      store.remove(cutMessage);
      store.set({ failure: undefined });
      return start(runOne);
    },
    answerApproval: (toolCallId, answer) => questions.answer(toolCallId, answer),
    setToolCalls(toolCalls) {
      if (toolCalls === store.get().toolCalls) return;
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
      const { messages, pendingContext: context } = store.get();
      if (draft === undefined) return toRequest(messages);
      const parts = [{ type: 'text', text: draft }] as const;
      return toRequest([...messages, { id: 'draft', role: 'user', parts, context }]);
    },
    close() {
      closed.abort();
      turn.abort();
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

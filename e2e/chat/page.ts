import type { AppSnapshot } from '@casement/host';
import type { ServerPort } from '@casement/protocol/ports';
import type { ErrorCode, Tool } from '@casement/protocol';
import { CasementError } from '@casement/protocol/start';
import type { ChatModel, Conversation, ConversationApp, ModelRequest, ShellStore } from '@casement/chat';
import type { ChatAppOptions, ChatShellProps } from '@casement/react/chat';
import { createConversation, createScriptedModel, createShellStore } from '@casement/chat';
import { ChatShell } from '@casement/react/chat';
import { createElement, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { toOtherLanguage } from './other-language.js';
import type { ChatPlan, PlannedServer, PlannedTool } from './plan.js';

/** What a test reads and does in the page. */
interface ChatPage {
  readonly conversation: Conversation;
  readonly shell: ShellStore;
  /** Every request the model got. */
  readonly requests: ModelRequest[];
  /** Every call the servers got: server, tool, arguments and for whom. */
  readonly calls: unknown[];
  /** Every address the servers were asked for. */
  readonly reads: string[];
  /** What the page's own answers were asked, when the plan has some. */
  readonly asked: { readonly what: string; readonly request: unknown }[];
  /** Every opening and closing of the shell, as `did-open panel id`. */
  readonly told: string[];
  /** The live app of an item, as the conversation knows it; a mounted app has a whole snapshot. */
  snapshot(id: string): AppSnapshot | undefined;
  /** Ends the waiting of a tool's calls. */
  release(tool: string): void;
  /** Draws the chat again with other props. */
  render(props?: object): void;
  unmount(): void;
  /** An error as the host's own code throws it. */
  toError(code: string, message: string): Error;
}

declare global {
  interface Window {
    chat: ChatPage;
    startChat(plan: ChatPlan & { readonly base: string }): void;
  }
}

const waiting = new Map<string, (() => void)[]>();
const calls: unknown[] = [];
const reads: string[] = [];

const toTool = (
  server: string,
  { html, widget, documentUi, result, fails, waits, ...tool }: PlannedTool,
): Tool => {
  void [documentUi, result, fails, waits];
  const address = `ui://${server}/${tool.name}`;
  return {
    inputSchema: { type: 'object' },
    // It only reads, so that a model calls it unasked.
    annotations: { readOnlyHint: true },
    ...(html === undefined ? {} : { _meta: { ui: { resourceUri: address } } }),
    ...(widget === undefined ? {} : { _meta: { 'openai/outputTemplate': address } }),
    ...tool,
  };
};

const toServer = ({ name: server, tools = [], resources = {} }: PlannedServer): ServerPort => ({
  name: server,
  identity: `chat-${server}`,
  listTools: async () => tools.map((tool) => toTool(server, tool)),
  async callTool({ name, arguments: args = {} }, { caller, signal }) {
    calls.push({ server, name, arguments: args, caller });
    const tool = tools.find((each) => each.name === name);
    if (tool?.waits) {
      await new Promise<void>((resolve, reject) => {
        waiting.set(name, [...(waiting.get(name) ?? []), resolve]);
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    }
    if (tool?.fails !== undefined) throw new Error(tool.fails);
    return tool?.result ?? { content: [{ type: 'text', text: JSON.stringify(args) }] };
  },
  async readResource({ uri }) {
    reads.push(uri);
    const { html, widget, documentUi } = tools.find(({ name }) => uri === `ui://${server}/${name}`) ?? {};
    const text = resources[uri] ?? html ?? widget;
    if (text === undefined) throw new Error('There is no such resource.');
    const mimeType = text === widget ? 'text/html+skybridge' : 'text/html;profile=mcp-app';
    return { contents: [{ uri, mimeType, text, ...(documentUi ? { _meta: { ui: documentUi } } : {}) }] };
  },
  listResources: async () => [],
  subscribe: () => () => undefined,
});

/** A model that writes down what it is asked. */
const listenTo = (model: ChatModel, requests: ModelRequest[]): ChatModel => ({
  name: model.name,
  stream(request, options) {
    requests.push(request);
    return model.stream(request, options);
  },
});

/** The same conversation, which also keeps its live apps where a test can ask them. */
const withApps = (conversation: Conversation, apps: Map<string, ConversationApp>): Conversation => ({
  ...conversation,
  registerApp(app) {
    const end = conversation.registerApp(app);
    apps.set(app.id, app);
    return () => {
      if (apps.get(app.id) === app) apps.delete(app.id);
      end();
    };
  },
});

const toAppOptions = (
  { answers = {}, appOptions }: ChatPlan,
  asked: ChatPage['asked'],
): ChatAppOptions | undefined => {
  const answer = (what: string, isYes: boolean | undefined) =>
    isYes === undefined
      ? undefined
      : async (request: unknown) => {
          asked.push({ what, request: JSON.parse(JSON.stringify(request)) });
          return isYes;
        };
  const hooks = {
    onOpenLink: answer('link', answers.link),
    onMessage: answer('message', answers.message),
    onDownload: answer('download', answers.download),
    onSampling: answer('sampling', answers.sampling),
  };
  const given = Object.fromEntries(Object.entries(hooks).filter(([, hook]) => hook !== undefined));
  return { openLink: (url) => asked.push({ what: 'opened', request: url }), ...given, ...appOptions };
};

window.startChat = (plan) => {
  const requests: ModelRequest[] = [];
  const asked: ChatPage['asked'] = [];
  const told: string[] = [];
  const apps = new Map<string, ConversationApp>();
  const { pace = 0, chunk = 8, script } = plan;
  const servers = (plan.servers ?? []).map(toServer);
  const conversation = withApps(
    createConversation({
      model: listenTo(createScriptedModel({ pace, chunk, ...(script ? { script } : {}) }), requests),
      servers,
      ...(plan.approve === 'ask' ? {} : { approve: () => 'allow' as const }),
      ...(plan.messages ? { messages: plan.messages } : {}),
      ...(plan.maxSteps === undefined ? {} : { maxSteps: plan.maxSteps }),
      ...(plan.limits ? { limits: plan.limits } : {}),
    }),
    apps,
  );
  const shell = createShellStore();
  for (const name of ['did-open', 'did-close'] as const) {
    shell.on(name, ({ place, messageItem }) => told.push(`${name} ${place} ${messageItem.mcp_app_id}`));
  }
  for (const item of plan.items ?? []) conversation.addItem(item);
  const appOptions = toAppOptions(plan, asked);
  const place = document.body.appendChild(document.createElement('div'));
  place.id = 'root';
  const root = createRoot(place);
  let props: ChatShellProps = {
    conversation,
    servers,
    shell,
    sandbox: { base: plan.base },
    ...(appOptions ? { appOptions } : {}),
    ...(plan.otherLanguage ? { words: toOtherLanguage() } : {}),
    ...plan.props,
  };
  const render = (changes: object = {}): void => {
    props = { ...props, ...changes };
    const chat = createElement(ChatShell, props);
    root.render(plan.strict === false ? chat : createElement(StrictMode, null, chat));
  };
  render();
  window.chat = {
    conversation,
    shell,
    requests,
    calls,
    reads,
    asked,
    told,
    // What the chat registers is a whole mounted app.
    snapshot: (id) => apps.get(id)?.getSnapshot() as AppSnapshot | undefined,
    release(tool) {
      for (const resolve of waiting.get(tool) ?? []) resolve();
      waiting.delete(tool);
    },
    render,
    unmount: () => root.unmount(),
    // A test names a code that is in the list.
    toError: (code, message) => new CasementError(code as ErrorCode, message),
  };
};

import type { CallToolResult, Implementation, Tool } from '@casement/protocol';
import type { ConversationMessage, DeliveredContext, ModelContext } from '../message/message.js';

/** What a conversation reads of a live app. */
interface ConversationAppSnapshot {
  readonly status: string;
  readonly session: string;
  readonly appInfo?: Implementation;
  readonly appTools: readonly {
    readonly qualifiedName: string;
    readonly callable: boolean;
    readonly tool: Tool;
  }[];
  readonly modelContext?: ModelContext;
  readonly resource?: { readonly uri: string };
}

/** A live app as the conversation needs it; a mounted app has all of it but the first three. */
export interface ConversationApp {
  /** The item's `mcp_app_id`: the same for every mount of it. */
  readonly id: string;
  /** The call the app was shown for. */
  readonly toolCallId?: string;
  readonly server: { readonly name: string; readonly identity: string };
  getSnapshot(): ConversationAppSnapshot;
  subscribe(listener: () => void): () => void;
  callAppTool(
    name: string,
    args: Record<string, unknown>,
    options?: {
      signal?: AbortSignal;
      /** The call goes on as a task; one of the server's ends well without the app too (HOST-104). */
      onTask?(task: { readonly taskId: string; readonly ofServer: boolean }): void;
    },
  ): Promise<CallToolResult>;
}

/** An app as long as it is registered. */
export interface RegisteredApp {
  readonly app: ConversationApp;
  /** Aborted when the app is no longer there. */
  readonly gone: AbortSignal;
}

/** The apps of a conversation that live now. */
export interface ConversationApps {
  register(app: ConversationApp): () => void;
  list(): readonly RegisteredApp[];
  /** What the model was not told yet: per app the last word, and only if it is news (HOST-063, HOST-064). */
  toPendingContext(messages: readonly ConversationMessage[]): readonly DeliveredContext[];
  close(): void;
}

interface Registration extends RegisteredApp {
  /** Whether the app ever gave the model a context. If so, having none now means that the app took it back. */
  hasSpoken: boolean;
  end(): void;
}

/** Keeps the live apps of a conversation; `onChange` is called when tools, context or name of one changed. */
export const createConversationApps = (onChange: () => void): ConversationApps => {
  const apps = new Map<string, Registration>();

  return {
    register(app) {
      // The same item mounted anew: the mount before it is over.
      apps.get(app.id)?.end();
      const life = new AbortController();
      let before = app.getSnapshot();
      const unsubscribe = app.subscribe(() => {
        const now = app.getSnapshot();
        const isSame = (['status', 'session', 'appInfo', 'appTools', 'modelContext'] as const).every(
          (key) => now[key] === before[key],
        );
        before = now;
        if (isSame) return;
        registration.hasSpoken ||= now.modelContext !== undefined;
        onChange();
      });
      const registration: Registration = {
        app,
        gone: life.signal,
        hasSpoken: before.modelContext !== undefined,
        end() {
          if (life.signal.aborted) return;
          unsubscribe();
          apps.delete(app.id);
          life.abort();
          onChange();
        },
      };
      apps.set(app.id, registration);
      onChange();
      return registration.end;
    },
    list: () => [...apps.values()],
    toPendingContext: (messages) =>
      [...apps.values()].flatMap(({ app, hasSpoken }) => {
        const { status, modelContext: context } = app.getSnapshot();
        if (status === 'failed' || status === 'closed') return [];
        const told = findLastContext(messages, app.id);
        if (context === undefined) return hasSpoken && told ? [{ app: toLabel(app) }] : [];
        return JSON.stringify(context) === JSON.stringify(told) ? [] : [{ app: toLabel(app), context }];
      }),
    close() {
      for (const { end } of [...apps.values()]) end();
    },
  };
};

const findLastContext = (messages: readonly ConversationMessage[], id: string) =>
  messages.flatMap(({ context = [] }) => context.filter(({ app }) => app.id === id)).at(-1)?.context;

const toLabel = (app: ConversationApp): DeliveredContext['app'] => {
  const { id, server, toolCallId } = app;
  const { name, version } = app.getSnapshot().appInfo ?? {};
  return {
    id,
    server: server.name,
    ...(name === undefined ? {} : { name }),
    ...(version === undefined ? {} : { version }),
    ...(toolCallId === undefined ? {} : { toolCallId }),
  };
};

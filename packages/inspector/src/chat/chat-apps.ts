import type { AppSnapshot, MountedApp } from '@casement/host';
import type { McpAppItem } from '@casement/chat';
import type { Readable } from '../store.js';
import { createListeners, createSampled } from '../store.js';

/** What can be done with an app of the chat from outside of it. */
export type ChatAppControls = Pick<MountedApp, 'getSnapshot' | 'subscribe' | 'callAppTool' | 'fetchFromApp'>;

/** A live app of the conversation. */
export interface ChatApp {
  readonly id: string;
  readonly title: string;
  readonly server: string | undefined;
  readonly tool: string | undefined;
  /** What came of the call it is shown for, once something did. */
  readonly result: unknown;
  readonly snapshot: AppSnapshot;
  /** How often it said what the model should know; taking that back counts too. */
  readonly contextUpdates: number;
  readonly callAppTool: MountedApp['callAppTool'];
  readonly fetchFromApp: MountedApp['fetchFromApp'];
}

/** What is read of the item that an app is shown for. */
type ShownItem = Pick<McpAppItem, 'mcp_app_id' | 'title' | 'server' | 'tool_name' | 'tool_call_id'>;

interface ChatAppsState {
  readonly apps: readonly ChatApp[];
  /** The app somebody chose, as long as it is there; otherwise the one that came last. */
  readonly current?: ChatApp;
  /** The id that was chosen; nothing follows the newest. */
  readonly chosen?: string;
}

/** The apps of the chat that are there now, and which of them is looked at. */
export interface ChatApps extends Readable<ChatAppsState> {
  /** Follows an app until the returned function is called. */
  add(item: ShownItem, app: ChatAppControls): () => void;
  /** The app of a session. */
  find(session: string): ChatApp | undefined;
  /** Without an id the newest app is looked at. */
  choose(id?: string): void;
}

interface Entry {
  readonly item: ShownItem;
  readonly app: ChatAppControls;
  contextUpdates: number;
}

const refreshMs = 20;

/** What came of a call, by its id. */
type ReadResult = (call: string) => unknown;

const toChatApp = ({ item, app, contextUpdates }: Entry, readResult: ReadResult): ChatApp => ({
  id: item.mcp_app_id,
  title: item.title,
  server: item.server,
  tool: item.tool_name,
  result: item.tool_call_id === undefined ? undefined : readResult(item.tool_call_id),
  snapshot: app.getSnapshot(),
  contextUpdates,
  callAppTool: app.callAppTool,
  fetchFromApp: app.fetchFromApp,
});

/** Creates the list of the chat's live apps; it is empty at first. */
export const createChatApps = (readResult: ReadResult): ChatApps => {
  const entries = new Map<string, Entry>();
  const { subscribe, tell } = createListeners();
  let chosen: string | undefined;
  const read = (): ChatAppsState => {
    const apps = [...entries.values()].map((entry) => toChatApp(entry, readResult));
    const current = apps.find(({ id }) => id === chosen) ?? apps.at(-1);
    return {
      apps,
      ...(current ? { current } : {}),
      ...(chosen === undefined ? {} : { chosen }),
    };
  };
  const sampled = createSampled(read, subscribe, refreshMs);

  return {
    ...sampled,
    add(item, app) {
      const entry: Entry = { item, app, contextUpdates: 0 };
      entries.delete(item.mcp_app_id);
      entries.set(item.mcp_app_id, entry);
      let { modelContext } = app.getSnapshot();
      const stop = app.subscribe(() => {
        const next = app.getSnapshot().modelContext;
        if (next !== modelContext) entry.contextUpdates += 1;
        modelContext = next;
        tell();
      });
      tell();
      return () => {
        stop();
        // The same item may be mounted anew already.
        if (entries.get(item.mcp_app_id) === entry) entries.delete(item.mcp_app_id);
        tell();
      };
    },
    find: (session) => {
      const found = [...entries.values()].find(({ app }) => app.getSnapshot().session === session);
      return found && toChatApp(found, readResult);
    },
    choose(id) {
      chosen = id;
      tell();
    },
  };
};

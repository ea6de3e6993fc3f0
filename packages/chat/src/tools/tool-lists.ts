import type { Tool } from '@casement/protocol';
import type { ServerPort } from '@casement/protocol/ports';
import type { ConversationFailure } from '../conversation-failure.js';
import { toFailure } from '../conversation-failure.js';

/** A server whose tools are not on offer now. */
export interface ServerProblem extends ConversationFailure {
  readonly server: string;
}

/** What the servers of a conversation say they have. */
export interface ToolLists {
  setServers(servers: readonly ServerPort[]): void;
  list(): readonly { readonly port: ServerPort; readonly tools: readonly Tool[] }[];
  problems(): readonly ServerProblem[];
  /** Asks the servers that failed once more. */
  recover(): void;
  /** Fulfilled when every server answered or took too long. */
  settle(signal: AbortSignal): Promise<void>;
}

interface ServerEntry {
  readonly port: ServerPort;
  tools: readonly Tool[];
  problem?: ConversationFailure | undefined;
  /** The listing under way. */
  listing?: Promise<void> | undefined;
  /** Something changed while a listing was under way: ask once more. */
  isStale: boolean;
  end(): void;
}

/** Keeps the tool lists of a conversation's servers; `onChange` is called when a list or a problem changed. */
export const createToolLists = (listMs: number, onChange: () => void): ToolLists => {
  let entries: readonly ServerEntry[] = [];

  const show = (entry: ServerEntry, patch: Pick<ServerEntry, 'tools' | 'problem'>): void => {
    Object.assign(entry, patch);
    if (entries.includes(entry)) onChange();
  };
  const read = async (entry: ServerEntry): Promise<void> => {
    try {
      do {
        entry.isStale = false;
        const tools = await entry.port.listTools();
        show(entry, { tools, problem: undefined });
      } while (entry.isStale);
    } catch (error) {
      const otherwise: ConversationFailure = {
        code: 'server-unreachable',
        message: `The server "${entry.port.name}" did not list its tools.`,
      };
      show(entry, { tools: [], problem: toFailure(error, otherwise) });
    } finally {
      entry.listing = undefined;
    }
  };
  const ask = (entry: ServerEntry): void => {
    entry.isStale = true;
    entry.listing ??= read(entry);
  };
  const open = (port: ServerPort): ServerEntry => {
    const entry: ServerEntry = { port, tools: [], isStale: false, end: () => undefined };
    entry.end = port.subscribe((event) => {
      if (event.type === 'tools-changed') ask(entry);
      if (event.type !== 'lost') return;
      const message = `The server "${port.name}" is gone: ${event.reason}`;
      show(entry, { tools: [], problem: { code: 'server-lost', message, hint: 'Restart the server.' } });
    });
    return entry;
  };

  return {
    setServers(servers) {
      const before = new Map(entries.map((entry) => [entry.port, entry]));
      const isNew = (port: ServerPort): boolean => !before.has(port);
      entries = [...new Set(servers)].map((port) => before.get(port) ?? open(port));
      for (const [port, entry] of before) if (!servers.includes(port)) entry.end();
      for (const entry of entries) if (isNew(entry.port)) ask(entry);
      onChange();
    },
    list: () => entries.map(({ port, tools }) => ({ port, tools })),
    problems: () =>
      entries.flatMap(({ port, problem }) => (problem ? { server: port.name, ...problem } : [])),
    recover() {
      for (const entry of entries) if (entry.problem) ask(entry);
    },
    async settle(signal) {
      await Promise.all(
        entries.map(async (entry) => {
          // Who was waited for in vain is not waited for again until it answered.
          if (!entry.listing || entry.problem?.code === 'server-timeout') return;
          const isDone = await isInTime(entry.listing, listMs, signal);
          if (isDone || signal.aborted) return;
          const message = `The server "${entry.port.name}" has not listed its tools yet.`;
          const hint = 'The turn goes on without them.';
          show(entry, { tools: entry.tools, problem: { code: 'server-timeout', message, hint } });
        }),
      );
    },
  };
};

const isInTime = (work: Promise<void>, ms: number, signal: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    const end = (isDone: boolean): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      resolve(isDone);
    };
    const giveUp = (): void => end(false);
    const timer = setTimeout(giveUp, ms);
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
    void work.then(() => end(true));
  });

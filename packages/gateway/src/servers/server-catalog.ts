import type { Tool } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import { CasementError, isRecord } from '@casement/protocol/start';
import { serverLists, toStopFinding, walkPages } from '@casement/protocol/ports';
import { readSize } from '../transport/held-payload.js';
import type { ServerLimits } from '../connection/server-limits.js';
import { findExcess } from './list-entry-excess.js';
import type { ServerConnection } from '../connection/server-connection.js';
import type { ServerFinding } from '../facts/server-findings.js';
import type { RequestSettings, ServerRequests } from '../connection/server-requests.js';
import { startSlice } from '../reading/turns.js';

type ListKind = keyof typeof serverLists;
type ListedItem<K extends ListKind> = ReturnType<(typeof serverLists)[K]['parse']>;

/** A server that announces changes is believed; one that does not is asked again after this long. */
const SILENT_LIST_MS = 1000;

/** The lists that a server offers right now. */
export interface ServerCatalog {
  list<K extends ListKind>(kind: K, settings?: RequestSettings): Promise<ListedItem<K>[]>;
  /** The tool of that name in the current list; asks the server when the list may have changed (D17). */
  findTool(name: string, settings?: RequestSettings): Promise<Tool>;
  /** Forgets what was read: the server said it changed, or is another process now. */
  forget(): void;
}

/** Creates the reader of one server's lists; it remembers the tools that calls are checked against. */
export const createServerCatalog = ({
  connection,
  requests,
  limits,
}: {
  connection: ServerConnection;
  requests: ServerRequests;
  limits: ServerLimits;
}): ServerCatalog => {
  let tools: { byName: Map<string, Tool>; readAt: number } | undefined;
  let age = 0;

  const readItems = async (
    kind: ListKind,
    settings: RequestSettings,
  ): ReturnType<typeof walkPages<unknown>> => {
    const { method, key, capability } = serverLists[kind];
    if (connection.link().client.getServerCapabilities()?.[capability] === undefined) return { items: [] };
    const end = performance.now() + (settings.timeoutMs ?? limits.requestTimeoutMs);
    const readPage = (cursor: string | undefined) => {
      // The whole walk shares one time limit.
      const timeoutMs = Math.max(1, Math.round(end - performance.now()));
      const params = cursor === undefined ? {} : { cursor };
      // The client would refuse a whole list for one bad entry: it is shown none of them.
      const held = { ...settings, timeoutMs, takesHeld: 'always' as const };
      return requests.ask(method, params, (answer) => parsePage(answer, key), held);
    };
    // All pages together may be as big as one message.
    const { maxListPages: maxPages, maxListItems: maxItems, maxMessageBytes: maxBytes } = limits;
    return walkPages(readPage, { maxPages, maxItems, maxBytes });
  };

  const list = async <K extends ListKind>(
    kind: K,
    settings: RequestSettings = {},
  ): Promise<ListedItem<K>[]> => {
    const { method, parse } = serverLists[kind];
    const { items, stopped } = await readItems(kind, settings);
    const findings: ServerFinding[] = stopped === undefined ? [] : [toStopFinding(method, stopped)];
    let unnamed = 0;
    const usable: unknown[] = [];
    const slice = startSlice();
    for (const [index, item] of items.entries()) {
      if (slice.isOver) await slice.rest();
      const read = readEntry(item, parse);
      // One bad entry must not hide the others.
      if (read.fault === undefined) usable.push(read.entry);
      else if (findings.length < MAX_NAMED) findings.push(toEntryFinding(method, index, item, read.fault));
      else unnamed += 1;
    }
    if (unnamed > 0) findings.push(toManyFinding(method, unnamed));
    connection.report(findings);
    if (slice.isOver) await slice.rest();
    // The row's own parser made these.
    return usable as ListedItem<K>[];
  };

  const listTools = async (settings?: RequestSettings): Promise<Tool[]> => {
    const startedAge = age;
    const found = await list('tools', settings);
    const byName = new Map<string, Tool>();
    // Of two tools with one name the first is meant (D18).
    for (const tool of found) if (!byName.has(tool.name)) byName.set(tool.name, tool);
    // A change announced meanwhile makes this list old already.
    tools = { byName, readAt: startedAge === age ? performance.now() : -Infinity };
    return found;
  };

  const isCurrent = (): boolean => {
    if (tools === undefined || tools.readAt === -Infinity) return false;
    const announces = connection.link().client.getServerCapabilities()?.tools?.listChanged === true;
    return announces || performance.now() - tools.readAt < SILENT_LIST_MS;
  };

  return {
    // Tools go through the map that calls are checked against; the cast only restates K = 'tools'.
    list: async <K extends ListKind>(kind: K, settings?: RequestSettings) =>
      kind === 'tools' ? ((await listTools(settings)) as ListedItem<K>[]) : list(kind, settings),
    async findTool(name, settings) {
      if (!isCurrent()) await listTools(settings);
      const tool = tools?.byName.get(name);
      if (tool !== undefined) return tool;
      throw new CasementError('tool-not-found', `The server "${connection.shownName}" lists no such tool.`, {
        hint: 'Read its tool list again.',
      });
    },
    forget() {
      age += 1;
      tools = undefined;
    },
  };
};

/** Why an entry is not in the list. */
interface EntryFault {
  readonly code: 'list-item-invalid' | 'list-item-excessive';
  readonly why: string;
  readonly fix: string;
}

const readEntry = (
  item: unknown,
  parse: (item: unknown) => unknown,
): { entry: unknown; fault?: undefined } | { fault: EntryFault } => {
  const excess = findExcess(item);
  if (excess !== undefined) return { fault: { code: 'list-item-excessive', ...excess } };
  try {
    return { entry: parse(item) };
  } catch (error) {
    const why = toPrintable(error instanceof Error ? error.message : 'unknown reason', 300);
    return { fault: { code: 'list-item-invalid', why, fix: 'Correct the entry; the others are shown.' } };
  }
};

/** How many entries are named one by one; the rest is counted. */
const MAX_NAMED = 10;

const toEntryFinding = (
  method: string,
  index: number,
  item: unknown,
  { code, why, fix }: EntryFault,
): ServerFinding => {
  const name = isRecord(item) && typeof item.name === 'string' ? item.name : undefined;
  const shown = name === undefined ? '' : ` "${toPrintable(name, 80, { mode: 'replace' })}"`;
  return { code, message: `${method}: entry ${index + 1}${shown} was left out: ${why}.`, fix };
};

const toManyFinding = (method: string, count: number): ServerFinding => ({
  code: 'list-item-invalid',
  message: `${method}: ${count} more entries were left out.`,
  fix: 'Correct those that are named first.',
});

const parsePage = (answer: unknown, key: string) => {
  const result = isRecord(answer) ? answer : {};
  const items: unknown = result[key];
  if (!Array.isArray(items)) throw new Error(`"${key}" is not a list`);
  const bytes = readSize(result);
  const { nextCursor } = result;
  if (nextCursor == null || nextCursor === '') return { items, bytes };
  if (typeof nextCursor !== 'string') throw new Error('"nextCursor" is not text');
  return { items, nextCursor, bytes };
};

import {
  CasementError,
  isRecord,
  parsePrompt,
  parseResourceListing,
  parseResourceTemplate,
  parseTool,
  toPrintable,
} from '@casement/protocol';
import type { Prompt, ResourceListing, ResourceTemplate, Tool } from '@casement/protocol';
import { readSize } from './held-payload.js';
import type { ServerLimits } from './limits.js';
import { listPages, type ListPage, type ListStop } from './list-pages.js';
import type { ServerConnection } from './server-connection.js';
import { parseAnswer, requestAny, type RequestSettings, type RunRequest } from './server-requests.js';
import { startSlice } from './turns.js';

/** The kinds of things a server lists, and what one of them is. */
interface ListedItems {
  tools: Tool;
  resources: ResourceListing;
  templates: ResourceTemplate;
  prompts: Prompt;
}

const lists = {
  tools: { method: 'tools/list', key: 'tools', capability: 'tools', parse: parseTool },
  resources: {
    method: 'resources/list',
    key: 'resources',
    capability: 'resources',
    parse: parseResourceListing,
  },
  templates: {
    method: 'resources/templates/list',
    key: 'resourceTemplates',
    capability: 'resources',
    parse: parseResourceTemplate,
  },
  prompts: { method: 'prompts/list', key: 'prompts', capability: 'prompts', parse: parsePrompt },
} as const;

/** A server that announces changes is believed; one that does not is asked again after this long. */
const SILENT_LIST_MS = 1000;

/** What a server offers right now. */
export interface ServerCatalog {
  list<K extends keyof ListedItems>(kind: K, settings?: RequestSettings): Promise<ListedItems[K][]>;
  /** The tool of that name in the current list; asks the server when the list may have changed (D17). */
  findTool(name: string, settings?: RequestSettings): Promise<Tool>;
  /** Forgets what was read: the server said it changed, or is another process now. */
  forget(): void;
}

/** Creates the catalog of one server. */
export const createServerCatalog = ({
  connection,
  run,
  limits,
  onFinding,
}: {
  connection: ServerConnection;
  run: RunRequest;
  limits: ServerLimits;
  onFinding(finding: { code: string; message: string }): void;
}): ServerCatalog => {
  let tools: { byName: Map<string, Tool>; readAt: number } | undefined;
  let age = 0;

  const readItems = async (
    kind: keyof ListedItems,
    settings: RequestSettings,
  ): Promise<{ items: unknown[]; stopped?: ListStop }> => {
    const { method, key, capability } = lists[kind];
    if (connection.link().client.getServerCapabilities()?.[capability] === undefined) return { items: [] };
    const end = performance.now() + limits.requestTimeoutMs;
    return listPages(async (cursor): Promise<ListPage> => {
      // The whole walk shares one time limit.
      const timeoutMs = Math.max(1, Math.round(end - performance.now()));
      const params = cursor === undefined ? {} : { cursor };
      const result = await run(method, { ...settings, timeoutMs }, (client, options) =>
        requestAny(client, method, params, options),
      );
      return parseAnswer(connection.name, method, () => parsePage(result, key));
    }, limits);
  };

  const list = async <K extends keyof ListedItems>(
    kind: K,
    settings: RequestSettings = {},
  ): Promise<ListedItems[K][]> => {
    const { method, parse } = lists[kind];
    const { items, stopped } = await readItems(kind, settings);
    if (stopped !== undefined) {
      onFinding({ code: `list-${stopped}`, message: `${method} was not read to its end (${stopped}).` });
    }
    const usable: unknown[] = [];
    const slice = startSlice();
    for (const item of items) {
      if (slice.isOver) await slice.rest();
      try {
        usable.push(parse(item));
      } catch (error) {
        // One bad entry must not hide the others.
        const why = error instanceof Error ? error.message : 'unknown reason';
        onFinding({
          code: 'list-item-invalid',
          message: `${method} entry ${toItemName(item)} left out: ${why}`,
        });
      }
    }
    if (slice.isOver) await slice.rest();
    // The row's own parser made these.
    return usable as ListedItems[K][];
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
    list: async <K extends keyof ListedItems>(kind: K, settings?: RequestSettings) =>
      kind === 'tools' ? ((await listTools(settings)) as ListedItems[K][]) : list(kind, settings),
    async findTool(name, settings) {
      if (!isCurrent()) await listTools(settings);
      const tool = tools?.byName.get(name);
      if (tool !== undefined) return tool;
      throw new CasementError('tool-not-found', `The server "${connection.name}" lists no such tool.`, {
        hint: 'Read its tool list again.',
      });
    },
    forget() {
      age += 1;
      tools = undefined;
    },
  };
};

const toItemName = (item: unknown): string =>
  isRecord(item) && typeof item.name === 'string'
    ? `"${toPrintable(item.name, 80, { mode: 'replace' })}"`
    : 'without a name';

const parsePage = (result: Record<string, unknown>, key: string): ListPage => {
  const items = result[key];
  if (!Array.isArray(items)) throw new Error(`"${key}" is not a list`);
  const bytes = readSize(result);
  const { nextCursor } = result;
  if (nextCursor == null || nextCursor === '') return { items, bytes };
  if (typeof nextCursor !== 'string') throw new Error('"nextCursor" is not text');
  return { items, nextCursor, bytes };
};

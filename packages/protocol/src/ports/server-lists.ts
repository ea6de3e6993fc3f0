import { CasementError } from '../errors.js';
import { isRecord } from '../is-record.js';
import {
  parsePrompt,
  parseResourceListing,
  parseResourceTemplate,
  parseTool,
} from '../messages/parse-values.js';
import { toStopFinding, walkPages } from './list-pages.js';
import type { PortFinding } from './server-port.js';

/** What a server lists: the method, where its result keeps the items, and how one of them is read. */
export const serverLists = {
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

/** One kind of list. */
export type ListKind = keyof typeof serverLists;
/** One entry of a list, read. */
export type ListedItem<K extends ListKind> = ReturnType<(typeof serverLists)[K]['parse']>;

/** Reads the entries of an answer; one bad entry must not hide the others. */
export const readItems = <K extends ListKind>(
  kind: K,
  answer: unknown,
  onFinding?: (finding: PortFinding) => void,
): ListedItem<K>[] => {
  const { method, key, parse } = serverLists[kind];
  const items = isRecord(answer) ? answer[key] : answer;
  if (!Array.isArray(items))
    throw new CasementError('server-garbage', `The answer to ${method} has no list.`);
  const read: unknown[] = [];
  for (const [index, item] of items.entries()) {
    try {
      read.push(parse(item));
    } catch (error) {
      const why = error instanceof Error ? error.message : 'unknown reason';
      onFinding?.({ code: 'list-item-invalid', message: `${method}: entry ${index} was left out. ${why}` });
    }
  }
  // The row's own parser made these.
  return read as ListedItem<K>[];
};

/** Reads all pages of a list, as far as the limits go. */
export const readPages = async <K extends ListKind>(
  kind: K,
  readPage: (cursor: string | undefined) => Promise<unknown>,
  onFinding?: (finding: PortFinding) => void,
): Promise<ListedItem<K>[]> => {
  const { items, stopped } = await walkPages(
    async (cursor) => {
      const answer = await readPage(cursor);
      const next = isRecord(answer) ? answer['nextCursor'] : undefined;
      return {
        items: readItems(kind, answer, onFinding),
        nextCursor: typeof next === 'string' && next !== '' ? next : undefined,
      };
    },
    { maxPages: 100, maxItems: 5000 },
  );
  if (stopped !== undefined) {
    const { code, message } = toStopFinding(serverLists[kind].method, stopped);
    onFinding?.({ code, message });
  }
  return items;
};

import {
  CasementError,
  isRecord,
  parsePrompt,
  parseResourceListing,
  parseResourceTemplate,
  parseTool,
} from '@casement/protocol';
import type { PortFinding } from './port-source.js';

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

const maxPages = 100;
const maxItems = 5000;

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

/** Walks every page of a list; a server whose cursors never end, or repeat, cannot hold it (D15). */
export const readPages = async <K extends ListKind>(
  kind: K,
  readPage: (cursor: string | undefined) => Promise<unknown>,
  onFinding?: (finding: PortFinding) => void,
): Promise<ListedItem<K>[]> => {
  const { method } = serverLists[kind];
  const items: ListedItem<K>[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < maxPages && items.length < maxItems; page += 1) {
    const answer = await readPage(cursor);
    items.push(...readItems(kind, answer, onFinding));
    const next = isRecord(answer) ? answer['nextCursor'] : undefined;
    if (typeof next !== 'string' || next === '') return items.slice(0, maxItems);
    if (seen.has(next)) break;
    seen.add(next);
    cursor = next;
  }
  onFinding?.({ code: 'list-cut', message: `${method} was not read to its end.` });
  return items.slice(0, maxItems);
};

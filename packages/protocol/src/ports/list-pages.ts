/** One page of a list, its shape already checked. */
export interface ListPage<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string | undefined;
  /** The size of the message it came in, where that counts. */
  readonly bytes?: number | undefined;
}

/** How far a list is read. */
export interface ListLimits {
  readonly maxPages: number;
  readonly maxItems?: number;
  /** All pages together. */
  readonly maxBytes?: number;
}

const stopReasons = {
  'page-cap': 'it has too many pages',
  'item-cap': 'it has too many entries',
  'size-cap': 'its pages together are larger than one message may be',
  'repeated-cursor': 'a cursor came twice',
} as const;

/** Why a list was not read to its end. */
export type ListStop = keyof typeof stopReasons;

/** Walks every page of a list; a server or app whose cursors never end, or repeat, cannot hold it (D15). */
export const walkPages = async <T>(
  readPage: (cursor: string | undefined) => Promise<ListPage<T>>,
  { maxPages, maxItems = Infinity, maxBytes = Infinity }: ListLimits,
): Promise<{ items: T[]; stopped?: ListStop }> => {
  const items: T[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  let left = maxBytes;
  for (let page = 0; page < maxPages; page += 1) {
    const { items: more, nextCursor, bytes = 0 } = await readPage(cursor);
    left -= bytes;
    if (left < 0) return { items, stopped: 'size-cap' };
    const room = maxItems - items.length;
    for (const item of more.slice(0, room)) items.push(item);
    if (more.length > room) return { items, stopped: 'item-cap' };
    if (nextCursor === undefined) return { items };
    if (items.length >= maxItems) return { items, stopped: 'item-cap' };
    if (seen.has(nextCursor)) return { items, stopped: 'repeated-cursor' };
    seen.add(nextCursor);
    cursor = nextCursor;
  }
  return { items, stopped: 'page-cap' };
};

/** The finding for a list that was not read to its end. */
export const toStopFinding = (
  method: string,
  stopped: ListStop,
): { code: string; message: string; fix: string } => ({
  code: `list-${stopped}`,
  message: `${method} was not read to its end: ${stopReasons[stopped]}.`,
  fix: 'List less, and leave nextCursor out of the last page.',
});

/** One page of a list, shape already checked. */
export interface ListPage {
  items: unknown[];
  nextCursor?: string;
  /** Of the message it came in, if that was big. */
  bytes: number;
}

/** Why a list was not read to its end. */
export type ListStop = 'page-cap' | 'item-cap' | 'size-cap' | 'repeated-cursor';

/** Walks every page; a server whose cursors never end, or repeat, cannot hold it (D15). All pages together are as big as one message may be. */
export const listPages = async (
  readPage: (cursor: string | undefined) => Promise<ListPage>,
  {
    maxListPages,
    maxListItems,
    maxMessageBytes,
  }: { maxListPages: number; maxListItems: number; maxMessageBytes: number },
): Promise<{ items: unknown[]; stopped?: ListStop }> => {
  const items: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  let left = maxMessageBytes;
  for (let page = 0; page < maxListPages; page += 1) {
    const { items: more, nextCursor, bytes } = await readPage(cursor);
    left -= bytes;
    if (left < 0) return { items, stopped: 'size-cap' };
    const room = maxListItems - items.length;
    items.push(...more.slice(0, room));
    if (more.length > room) return { items, stopped: 'item-cap' };
    if (nextCursor === undefined) return { items };
    if (items.length >= maxListItems) return { items, stopped: 'item-cap' };
    if (seen.has(nextCursor)) return { items, stopped: 'repeated-cursor' };
    seen.add(nextCursor);
    cursor = nextCursor;
  }
  return { items, stopped: 'page-cap' };
};

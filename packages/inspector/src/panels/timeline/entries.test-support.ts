import type { RecordingEntry } from '@casement/protocol';

type Given = Partial<Omit<RecordingEntry, 'raw'>> & { readonly raw?: unknown };

/** Makes entries that are numbered and timed one after the other. */
export const createEntryMaker = (): ((given: Given) => RecordingEntry) => {
  let seq = 0;
  return ({ raw = null, ...given }) => ({
    ...{ v: 1, seq, t: 1_000 + seq++ * 10, writer: 'page', session: 's', epoch: 1 },
    ...{ leg: 'app', dir: 'in', kind: 'notification' },
    ...given,
    raw,
  });
};

/** Many entries of every sort, the same each time. */
export const makeManyEntries = (count: number): RecordingEntry[] => {
  const make = createEntryMaker();
  return Array.from({ length: count }, (_, index) => {
    const id = Math.floor(index / 4);
    switch (index % 4) {
      case 0:
        return make({
          kind: 'request',
          raw: { id, method: 'tools/call', params: { name: `tool-${id % 7}` } },
        });
      case 1:
        return make({
          kind: 'response',
          dir: 'out',
          raw: { id, result: { content: [{ type: 'text', text: `Answer ${id}` }] } },
        });
      case 2:
        return make({
          leg: 'server',
          dir: 'out',
          raw: { method: 'notifications/progress', params: { progress: id } },
        });
      default:
        return make({
          leg: 'none',
          dir: 'none',
          kind: 'finding',
          raw: { code: 'metadata-type', message: `Finding ${id}` },
        });
    }
  });
};

/** The resources that somebody wants to hear of. */
export interface ResourceSubscriptions {
  add(uri: string): Promise<void>;
  remove(uri: string): Promise<void>;
  /** Those that are wanted now. */
  uris(): string[];
}

interface Wanted {
  count: number;
  /** What was last asked of the server; the next request waits for it, so that they cannot overtake each other. */
  last: Promise<void>;
}

/** Creates a counter of listeners per resource: it subscribes for the first listener and unsubscribes after the last. */
export const createResourceSubscriptions = ({
  open,
  close,
}: {
  open(uri: string): Promise<void>;
  close(uri: string): Promise<void>;
}): ResourceSubscriptions => {
  const wanted = new Map<string, Wanted>();
  const enqueue = (entry: Wanted, task: () => Promise<void>): Promise<void> =>
    (entry.last = entry.last.catch(() => undefined).then(task));
  const forget = (uri: string, entry: Wanted): void => {
    if (entry.count === 0 && wanted.get(uri) === entry) wanted.delete(uri);
  };

  return {
    async add(uri) {
      const entry = wanted.get(uri) ?? { count: 0, last: Promise.resolve() };
      wanted.set(uri, entry);
      entry.count += 1;
      try {
        await (entry.count === 1 ? enqueue(entry, () => open(uri)) : entry.last);
      } catch (error) {
        entry.count -= 1;
        forget(uri, entry);
        throw error;
      }
    },
    async remove(uri) {
      const entry = wanted.get(uri);
      if (entry === undefined || entry.count === 0) return;
      entry.count -= 1;
      if (entry.count > 0) return;
      // Wanted again before the end was sent: then nothing is sent.
      await enqueue(entry, async () => (entry.count === 0 ? close(uri) : undefined)).finally(() =>
        forget(uri, entry),
      );
    },
    uris: () => [...wanted].filter(([, { count }]) => count > 0).map(([uri]) => uri),
  };
};

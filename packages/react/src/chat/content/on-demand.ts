/** Something that is loaded when it is first wanted, once for the page. */
interface OnDemand<Part> {
  /** Undefined until it is loaded. */
  get(): Part | undefined;
  /** Loads it, unless it is on its way or there; after a failure it is tried again. */
  want(): void;
  subscribe(listener: () => void): () => void;
}

/** Creates a part of the page that is loaded on demand; subscribers hear when it is there. */
export const createOnDemand = <Part>(load: () => Promise<Part>): OnDemand<Part> => {
  const listeners = new Set<() => void>();
  let part: Part | undefined;
  let isLoading = false;

  const start = async (): Promise<void> => {
    isLoading = true;
    try {
      part = await load();
      for (const listener of [...listeners]) listener();
    } catch {
      // Whoever wants it next tries again.
    } finally {
      isLoading = false;
    }
  };

  return {
    get: () => part,
    want() {
      if (part === undefined && !isLoading) void start();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

import type { Tool } from '@casement/protocol';
import type { ServerPort } from '@casement/protocol/ports';

/** The server's current tools by name; fetched when asked for, again after the server said they changed. */
export interface ToolList {
  get(): Promise<ReadonlyMap<string, Tool>>;
  invalidate(): void;
}

/** Makes the list of a server's tools; it asks `server` at most once between two changes. */
export const createToolList = (server: ServerPort): ToolList => {
  let current: Promise<ReadonlyMap<string, Tool>> | undefined;

  const fetch = async (): Promise<ReadonlyMap<string, Tool>> => {
    const byName = new Map<string, Tool>();
    // Of two tools with one name the first counts: a later one must not loosen its visibility.
    for (const tool of await server.listTools()) if (!byName.has(tool.name)) byName.set(tool.name, tool);
    return byName;
  };

  const get = async (): Promise<ReadonlyMap<string, Tool>> => {
    for (;;) {
      const asked = (current ??= fetch());
      try {
        const tools = await asked;
        // The list may have been declared stale while it was on its way.
        if (current === asked) return tools;
      } catch (error) {
        if (current === asked) {
          current = undefined;
          throw error;
        }
      }
    }
  };

  return {
    get,
    invalidate() {
      current = undefined;
    },
  };
};

import type { ServerPort } from '@casement/protocol/ports';
import { isRecord } from '@casement/protocol/start';

/** What stood beside the text of each resource that was read: its type, and what its author declares. */
export interface SeenItems {
  /** The port through which they are seen. */
  readonly port: ServerPort;
  peek(uri: string): unknown;
}

const maxItems = 200;

/** Creates the memory of what comes through a port; the oldest make room. */
export const createSeenItems = (port: ServerPort): SeenItems => {
  const items = new Map<string, unknown>();
  const keep = (uri: string, { contents }: Awaited<ReturnType<ServerPort['readResource']>>): void => {
    const item: unknown = contents.find((one) => one.uri === uri) ?? contents[0];
    if (!isRecord(item)) return;
    const declared = Object.entries(item).filter(([name]) => name !== 'text' && name !== 'blob');
    items.delete(uri);
    items.set(uri, Object.fromEntries(declared));
    const [oldest] = items.keys();
    if (items.size > maxItems && oldest !== undefined) items.delete(oldest);
  };
  return {
    port: {
      ...port,
      readResource: async (params, options) => {
        const result = await port.readResource(params, options);
        keep(params.uri, result);
        return result;
      },
    },
    peek: (uri) => items.get(uri),
  };
};

import type { ServerHandlers } from '@casement/protocol/ports';

/** What a note server can do, as plain functions: the backend of all three ports. */
export type Notes = Required<Omit<ServerHandlers, 'tasks'>> & { readonly watched: ReadonlySet<string> };

const app = 'ui://notes/app';
const note = 'note://one';
const schema = { type: 'object' };

/** A failure as a server gives it. */
class NumberedError extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Creates a server with one note, which its app shows, renames and hears of. */
export const createNotes = (html: string): Notes => {
  let title = 'First note';
  const watched = new Set<string>();
  const listeners = new Set<Parameters<Notes['subscribe']>[0]>();
  const result = () => ({ content: [{ type: 'text', text: title }], structuredContent: { title } });

  const tools: Record<string, (args: Record<string, unknown>) => unknown> = {
    show_note: result,
    rename: (args) => {
      title = String(args['title']);
      if (watched.has(note)) for (const tell of listeners) tell({ type: 'resource-updated', uri: note });
      for (const tell of listeners) tell({ type: 'tools-changed' });
      return result();
    },
    sign_in: () => {
      throw new NumberedError(-32042, 'Open the page to sign in', {
        elicitations: [
          { mode: 'url', url: 'https://example.com/in', message: 'Sign in', elicitationId: 'e1' },
        ],
      });
    },
  };

  return {
    watched,
    listTools: () => [
      { name: 'show_note', inputSchema: schema, _meta: { ui: { resourceUri: app } } },
      { name: 'rename', inputSchema: schema, _meta: { ui: { visibility: ['app'] } } },
      { name: 'sign_in', inputSchema: schema },
      { name: 'erase', inputSchema: schema, _meta: { ui: { visibility: ['model'] } } },
    ],
    callTool: (params, { onProgress }) => {
      for (const progress of params.name === 'rename' ? [1, 2] : []) onProgress?.({ progress, total: 2 });
      // The progress of a call travels beside its answer on some ways: given a moment, as a call that has any takes.
      return new Promise((resolve, reject) => {
        setTimeout(() => {
          try {
            resolve(tools[params.name]?.(params.arguments ?? {}) ?? { content: [] });
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        }, 50);
      });
    },
    readResource: ({ uri }) => ({
      contents: [
        uri === app
          ? { uri, mimeType: 'text/html;profile=mcp-app', text: html }
          : { uri, mimeType: 'text/plain', text: title },
      ],
    }),
    listResources: () => [{ uri: note, name: 'one' }],
    listResourceTemplates: () => [{ uriTemplate: 'note://{id}', name: 'note' }],
    listPrompts: () => [{ name: 'summarise' }],
    subscribeResource: ({ uri }) => void watched.add(uri),
    unsubscribeResource: ({ uri }) => void watched.delete(uri),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

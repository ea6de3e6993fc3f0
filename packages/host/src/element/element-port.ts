import type { ReadResourceResult, Tool } from '@casement/protocol';
import { MCP_APP_MIME } from '@casement/protocol/start';
import type { ServerEvent, ServerPort } from '@casement/protocol/ports';
import { fire } from './element-events.js';
import type { McpAppSettings } from './element-settings.js';

/** The server port of an element. It reads the handlers at every request, so the page may replace them. */
export interface ElementPort extends ServerPort {
  toolsChanged(): void;
}

/** What names the server when only handlers were given. */
interface PortNames {
  readonly name: string;
  readonly identity: string;
}

/** Optional members of a server port: the element has them only if its `server` has them. */
const optional = [
  'listResourceTemplates',
  'listPrompts',
  'subscribeResource',
  'unsubscribeResource',
] as const;

/**
 * Creates the server port of an element. A request goes to the page's handler if there is one, else to `server`, else
 * it becomes an event. HTML that the page gave is returned without a request.
 */
export const createElementPort = (
  target: EventTarget,
  settings: Readonly<McpAppSettings>,
  names: PortNames,
): ElementPort => {
  const { server, resourceHtml, resourceMeta, tool } = settings;
  const listeners = new Set<(event: ServerEvent) => void>();
  const offered: Partial<Record<(typeof optional)[number], unknown>> = {};
  for (const name of optional) offered[name] = server?.[name]?.bind(server);
  let byFunctions: Promise<Pick<ServerPort, 'callTool' | 'readResource'>> | undefined;
  // On demand, as everything an app needs once it runs.
  const running = (): NonNullable<typeof byFunctions> =>
    (byFunctions ??= import('./element-handlers.js').then(({ createElementHandlers }) =>
      createElementHandlers(target, settings, names.name, fire),
    ));

  return {
    // Each is the server's own function of that name, or undefined.
    ...(offered as Pick<ServerPort, (typeof optional)[number]>),
    ...(server?.tasks ? { tasks: server.tasks } : {}),
    name: server?.name ?? names.name,
    identity: server?.identity ?? names.identity,
    toolsChanged() {
      for (const listener of [...listeners]) listener({ type: 'tools-changed' });
    },
    async listTools() {
      // Without a list an app may know one tool: its own. Everything else does not exist for it.
      return settings.tools ?? (await server?.listTools()) ?? (tool ? [tool] : []);
    },
    async callTool(params, options) {
      if (server && !settings.on_tools_call) return server.callTool(params, options);
      return (await running()).callTool(params, options);
    },
    async readResource(params, options) {
      // Whoever reads besides the app reads the app's own document.
      if (resourceHtml !== undefined && options.caller !== 'app')
        return toPrefetched(params.uri, resourceHtml, resourceMeta);
      if (server && !settings.on_resources_read) return server.readResource(params, options);
      return (await running()).readResource(params, options);
    },
    listResources: async () => (await server?.listResources()) ?? [],
    subscribe(listener) {
      listeners.add(listener);
      const unsubscribe = server?.subscribe(listener);
      return () => {
        listeners.delete(listener);
        unsubscribe?.();
      };
    },
  };
};

const toPrefetched = (uri: string, text: string, _meta: Tool['_meta']): ReadResourceResult => ({
  contents: [{ uri, mimeType: MCP_APP_MIME, text, ...(_meta ? { _meta } : {}) }],
});

/** Names a server nobody named: apps of this element share nothing with those of any other. */
export const createIdentity = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

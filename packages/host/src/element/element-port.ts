import type { CallToolResult, ReadResourceResult, Tool } from '@casement/protocol';
import { CasementError, MCP_APP_MIME } from '@casement/protocol/basics';
import type { ServerEvent, ServerPort } from '../core/server-port.js';
import { ask } from './element-events.js';
import type { McpAppSettings } from './element-settings.js';

/** A server port made from what the element was given; it looks each time, so handlers may change. */
export interface ElementPort extends ServerPort {
  toolsChanged(): void;
}

/** What names the server when only handlers were given. */
interface PortNames {
  readonly name: string;
  readonly identity: string;
}

/** Handlers first, then the server, then an event; HTML that is already here is not asked for. */
export const createElementPort = (
  target: EventTarget,
  settings: Readonly<McpAppSettings>,
  tool: Tool,
  uri: string | undefined,
  names: PortNames,
): ElementPort => {
  const { server, resourceHtml, resourceMeta } = settings;
  const listeners = new Set<(event: ServerEvent) => void>();

  const prefetched = (asked: string): ReadResourceResult | undefined =>
    resourceHtml === undefined || asked !== uri
      ? undefined
      : {
          contents: [
            {
              uri: asked,
              mimeType: MCP_APP_MIME,
              text: resourceHtml,
              ...(resourceMeta ? { _meta: resourceMeta } : {}),
            },
          ],
        };

  return {
    name: server?.name ?? names.name,
    identity: server?.identity ?? names.identity,
    toolsChanged() {
      for (const listener of [...listeners]) listener({ type: 'tools-changed' });
    },
    async listTools() {
      // Without a list an app may know one tool: its own. Everything else does not exist for it.
      return settings.tools ?? (await server?.listTools()) ?? [tool];
    },
    async callTool(params, { caller, signal, ...rest }) {
      const options = signal ? { signal } : {};
      if (settings.on_tools_call) return parseCall(await settings.on_tools_call(params, options));
      if (server) return server.callTool(params, { caller, ...options, ...rest });
      const answer = ask(target, 'mcp-app-tools-call', { ...params, caller, ...options });
      if (answer) return parseCall(await answer);
      throw new CasementError('tool-not-found', 'This host does not run tools for apps.', {
        hint: 'Set on_tools_call, give a server, or answer mcp-app-tools-call.',
      });
    },
    async readResource(params, { caller, signal }) {
      const options = signal ? { signal } : {};
      const here = caller === 'app' ? undefined : prefetched(params.uri);
      if (here) return here;
      if (settings.on_resources_read) return parseRead(await settings.on_resources_read(params, options));
      if (server) return server.readResource(params, { caller, ...options });
      const answer = ask(target, 'mcp-app-resources-read', { ...params, caller, ...options });
      if (answer) return parseRead(await answer);
      throw new CasementError('resource-refused', 'This host does not read resources for apps.', {
        hint: 'Set on_resources_read, give a server, or answer mcp-app-resources-read.',
      });
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

// On demand, as everything an app needs once it runs.
const parseCall = async (value: unknown): Promise<CallToolResult> =>
  (await import('../core/server-values.js')).parseCallToolResult(value);

const parseRead = async (value: unknown): Promise<ReadResourceResult> =>
  (await import('../core/server-values.js')).parseReadResourceResult(value);

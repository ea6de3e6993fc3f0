import type { AppFamily } from '@casement/protocol';

/**
 * The families of apps. The policy names an app's family, and the family chooses the loader; proxy, relay, policy and
 * host are the same for all, because every loader speaks MCP Apps to the host.
 *
 * | Family | The app speaks | In this package | Elsewhere |
 * |---|---|---|---|
 * | `mcp-apps` | MCP Apps, or expects `window.mcpApp` | `pages/loader/mcp-apps-loader` | `@casement/app/shim` |
 * | `openai` | `window.openai` | `pages/loader/openai`, `openai-methods` | widget state and modals in `widget-handlers` of the host |
 * | `mcp-ui` | `{ type, payload }` to its parent | `pages/loader/mcp-ui`, `external-url` | embedded resources in `embedded-resource` of the host |
 *
 * Which family a tool, a resource or a result means is read by `@casement/protocol`.
 */
export const appFamilies: readonly AppFamily[] = ['mcp-apps', 'openai', 'mcp-ui'];

/** The family that a value names; `mcp-apps` if it names none. */
export const toFamily = (name: unknown): AppFamily =>
  appFamilies.find((family) => family === name) ?? 'mcp-apps';

import type { Method, Sender } from '../messages/methods.js';

/**
 * The older documents whose names are understood: the first draft of the proposal (`ui/size-change`, `clientInfo`),
 * Goose's glossary (`toolName` beside the data), FrontMCP's `ui/camelCase` requests, and the architecture page of
 * early samples (`ui/toolInput`).
 */
export type Dialect = 'first-draft' | 'goose' | 'frontmcp' | 'architecture-page';

/** An older name of a message. */
export interface DialectAlias {
  readonly name: string;
  /** Today's name. */
  readonly method: Method;
  readonly from: Sender;
  /** How that dialect sends it, which may differ from today's kind. */
  readonly kind: 'request' | 'notification';
  /** Empty for slips and for names of a proposal that was never merged: read, never sent. */
  readonly dialects: readonly Dialect[];
}

const alias = (
  from: Sender,
  kind: DialectAlias['kind'],
  name: string,
  method: Method,
  ...dialects: Dialect[]
): DialectAlias => ({ name, method, from, kind, dialects });

/** Every older name there is; the messages page of the docs is checked against it. */
export const dialectAliases: readonly DialectAlias[] = [
  alias(
    'proxy',
    'notification',
    'ui/notifications/sandbox-ready',
    'ui/notifications/sandbox-proxy-ready',
    'first-draft',
    'goose',
  ),

  alias('app', 'notification', 'ui/size-change', 'ui/notifications/size-changed', 'first-draft'),
  alias('app', 'notification', 'ui/notifications/size-change', 'ui/notifications/size-changed'),
  alias('app', 'request', 'ui/setSize', 'ui/notifications/size-changed', 'frontmcp'),
  alias('app', 'request', 'ui/close', 'ui/notifications/request-teardown', 'frontmcp'),
  alias('app', 'request', 'ui/openLink', 'ui/open-link', 'frontmcp'),
  alias('app', 'request', 'ui/updateModelContext', 'ui/update-model-context', 'frontmcp'),
  alias('app', 'request', 'ui/setDisplayMode', 'ui/request-display-mode', 'frontmcp'),
  alias('app', 'request', 'ui/log', 'notifications/message', 'frontmcp'),
  alias('app', 'request', 'ui/callServerTool', 'tools/call', 'frontmcp'),
  alias('app', 'request', 'ui/registerTool', 'notifications/tools/list_changed', 'frontmcp'),
  alias('app', 'request', 'ui/unregisterTool', 'notifications/tools/list_changed', 'frontmcp'),

  alias('host', 'notification', 'ui/toolInput', 'ui/notifications/tool-input', 'architecture-page'),
  alias('host', 'notification', 'ui/toolResult', 'ui/notifications/tool-result', 'architecture-page'),
  alias('host', 'notification', 'ui/tool-cancelled', 'ui/notifications/tool-cancelled', 'first-draft'),
  alias('host', 'notification', 'ui/notifications/cancelled', 'ui/notifications/tool-cancelled', 'frontmcp'),
  alias(
    'host',
    'notification',
    'ui/host-context-change',
    'ui/notifications/host-context-changed',
    'first-draft',
  ),
  alias('host', 'request', 'ui/teardown', 'ui/resource-teardown', 'architecture-page'),
  alias('host', 'request', 'ui/call-view-tool', 'tools/call'),
  alias('host', 'request', 'ui/list-view-tools', 'tools/list'),
];

/** By name, in a Map: a guest may ask for `constructor`. */
export const aliasesByName: ReadonlyMap<string, DialectAlias> = new Map(
  dialectAliases.map((row) => [row.name, row]),
);

import type { Method, Sender } from '../methods.js';

/**
 * The documents whose names are understood: S1 the first draft (`ui/size-change`, `clientInfo`), S2 Goose's glossary
 * (`toolName` beside the data), S3 FrontMCP's `ui/camelCase` requests, S4 the architecture page (`ui/toolInput`).
 */
export type Dialect = 'S1' | 'S2' | 'S3' | 'S4';

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
    'S1',
    'S2',
  ),

  alias('app', 'notification', 'ui/size-change', 'ui/notifications/size-changed', 'S1'),
  alias('app', 'notification', 'ui/notifications/size-change', 'ui/notifications/size-changed'),
  alias('app', 'request', 'ui/setSize', 'ui/notifications/size-changed', 'S3'),
  alias('app', 'request', 'ui/close', 'ui/notifications/request-teardown', 'S3'),
  alias('app', 'request', 'ui/openLink', 'ui/open-link', 'S3'),
  alias('app', 'request', 'ui/updateModelContext', 'ui/update-model-context', 'S3'),
  alias('app', 'request', 'ui/setDisplayMode', 'ui/request-display-mode', 'S3'),
  alias('app', 'request', 'ui/log', 'notifications/message', 'S3'),
  alias('app', 'request', 'ui/callServerTool', 'tools/call', 'S3'),
  alias('app', 'request', 'ui/registerTool', 'notifications/tools/list_changed', 'S3'),
  alias('app', 'request', 'ui/unregisterTool', 'notifications/tools/list_changed', 'S3'),

  alias('host', 'notification', 'ui/toolInput', 'ui/notifications/tool-input', 'S4'),
  alias('host', 'notification', 'ui/toolResult', 'ui/notifications/tool-result', 'S4'),
  alias('host', 'notification', 'ui/tool-cancelled', 'ui/notifications/tool-cancelled', 'S1'),
  alias('host', 'notification', 'ui/notifications/cancelled', 'ui/notifications/tool-cancelled', 'S3'),
  alias('host', 'notification', 'ui/host-context-change', 'ui/notifications/host-context-changed', 'S1'),
  alias('host', 'request', 'ui/teardown', 'ui/resource-teardown', 'S4'),
  alias('host', 'request', 'ui/call-view-tool', 'tools/call'),
  alias('host', 'request', 'ui/list-view-tools', 'tools/list'),
];

/** By name, in a Map: a guest may ask for `constructor`. */
export const aliasesByName: ReadonlyMap<string, DialectAlias> = new Map(
  dialectAliases.map((row) => [row.name, row]),
);

import { isRecord, readOwn } from '../is-record.js';
import type { Method, Sender } from '../messages/methods.js';

/*
 * What the older documents call things: the names of messages, their parameters on the way in, and what apps of that
 * time look for on the way out. Pure knowledge; the door keeps what one document showed of itself.
 */

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

/** Parameters in today's shape, the dialects they gave away, and what to tell the author. */
interface Reading {
  readonly params: Record<string, unknown>;
  readonly dialects?: readonly Dialect[];
  readonly finding?: { readonly message: string; readonly fix: string };
}

type Params = Record<string, unknown>;

/** What an app told the model last, for a dialect that adds to it. */
export type StoredContext = { readonly structuredContent?: unknown } | undefined;

const asText = (value: unknown, fallback: string): string => (typeof value === 'string' ? value : fallback);

/** The first drafts called them clientInfo and capabilities; what they left out is filled, as nothing depends on it. */
const readOldInitialize = (params: Params): Reading => {
  const { clientInfo, capabilities, ...rest } = params;
  const info = readOwn(rest, 'appInfo') ?? clientInfo;
  const named = isRecord(info)
    ? { ...info, name: asText(info['name'], 'unnamed'), version: asText(info['version'], 'unknown') }
    : info;
  return {
    params: {
      ...rest,
      appInfo: named,
      appCapabilities: readOwn(rest, 'appCapabilities') ?? capabilities ?? {},
      protocolVersion: asText(readOwn(rest, 'protocolVersion'), 'unknown'),
    },
    // Both documents show this shape; what either of them expects besides does not disturb the other.
    dialects: ['first-draft', 'goose'],
    finding: {
      message: 'ui/initialize came with clientInfo or capabilities, the parameters of the first drafts.',
      fix: 'Send appInfo, appCapabilities and protocolVersion.',
    },
  };
};

/** That adapter names a core version and says of its tools that they never change; nobody else does both. */
const isFrontMcp = (params: Params): boolean => {
  const capabilities = readOwn(params, 'appCapabilities');
  return (
    readOwn(capabilities, 'supportsPartialInput') !== undefined ||
    (readOwn(params, 'protocolVersion') === '2024-11-05' &&
      readOwn(readOwn(capabilities, 'tools'), 'listChanged') === false)
  );
};

const readInitialize = (params: Params): Reading => {
  const isOld =
    (Object.hasOwn(params, 'clientInfo') && !Object.hasOwn(params, 'appInfo')) ||
    (Object.hasOwn(params, 'capabilities') && !Object.hasOwn(params, 'appCapabilities'));
  const reading = isOld ? readOldInitialize(params) : { params };
  const dialects = new Set(reading.dialects);
  if (isFrontMcp(reading.params)) dialects.add('frontmcp');
  if (readOwn(params, 'protocolVersion') === '2025-01-01') dialects.add('architecture-page');
  return { ...reading, dialects: [...dialects] };
};

/** One block, a bare text, a missing role: the stable text shows the first, FrontMCP sends the others; hosts want a list. */
const readMessage = (params: Params): Reading => {
  const content = readOwn(params, 'content');
  const block = typeof content === 'string' ? { type: 'text', text: content } : content;
  const isWhole = Array.isArray(content) && Object.hasOwn(params, 'role');
  if (isWhole || block === undefined) return { params };
  return {
    params: {
      ...params,
      role: readOwn(params, 'role') ?? 'user',
      content: Array.isArray(block) ? block : [block],
    },
    ...(typeof content === 'string' ? { dialects: ['frontmcp'] as const } : {}),
    finding: {
      message: 'ui/message came without a role, or its content is no list; official hosts refuse that.',
      fix: 'Send role "user" and content as a list of blocks.',
    },
  };
};

/** That dialect adds to what was said before unless told otherwise; today an update replaces (HOST-064). */
const readModelContext = (params: Params, stored: StoredContext): Reading => {
  const { context, merge, ...rest } = params;
  if (context === undefined) return { params };
  if (typeof context === 'string') return { params: { ...rest, content: [{ type: 'text', text: context }] } };
  // Anything else is left to the schema, which says what is wrong with it.
  if (!isRecord(context)) return { params: { ...rest, structuredContent: context } };
  const before = stored?.structuredContent;
  const structuredContent = merge !== false && isRecord(before) ? { ...before, ...context } : context;
  return { params: { ...rest, structuredContent } };
};

/** `{level, message, data}`; the proposal's form already has today's shape. */
const readLog = (params: Params): Reading => {
  const { level, message, data, ...rest } = params;
  if (message === undefined) return { params };
  const said = data === undefined ? { message } : { message, data };
  return { params: { ...rest, level: level === 'warn' ? 'warning' : level, data: said } };
};

type Reader = (params: Params, stored: () => StoredContext) => Reading;

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['ui/initialize', readInitialize],
  ['ui/message', readMessage],
  ['ui/updateModelContext', (params, stored) => readModelContext(params, stored())],
  ['ui/log', readLog],
]);

/** Brings the parameters of a message, under the name it came with, into today's shape. */
export const readParams = (name: string, params: Params, stored: () => StoredContext): Reading =>
  readers.get(name)?.(params, stored) ?? { params };

type Shown = ReadonlySet<Dialect>;

const speaks = (shown: Shown, ...dialects: readonly Dialect[]): boolean =>
  dialects.some((dialect) => shown.has(dialect));

/** Older apps know their room as `viewport` with both sides; official apps let unknown context keys pass. */
const toOldContext = (context: Params, shown: Shown): Params => {
  const room = readOwn(context, 'containerDimensions');
  const zone = readOwn(context, 'timeZone');
  const width = readOwn(room, 'width') ?? readOwn(room, 'maxWidth');
  const height = readOwn(room, 'height') ?? readOwn(room, 'maxHeight');
  const viewport = {
    ...(isRecord(room) ? room : {}),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
  };
  return {
    ...context,
    ...(isRecord(room) && speaks(shown, 'first-draft', 'goose', 'frontmcp') ? { viewport } : {}),
    ...(zone !== undefined && speaks(shown, 'frontmcp') ? { timezone: zone } : {}),
  };
};

/** FrontMCP asks its host for booleans before it calls anything, the architecture page for tools and resources; official apps drop such keys. */
const toOldCapabilities = (capabilities: Params, context: Params, shown: Shown): Params => {
  const has = (key: string): boolean => readOwn(capabilities, key) !== undefined;
  return {
    ...capabilities,
    ...(speaks(shown, 'frontmcp')
      ? {
          serverToolProxy: has('serverTools'),
          openLink: has('openLinks'),
          modelContextUpdate: has('updateModelContext'),
          widgetTools: true,
          displayModes: readOwn(context, 'availableDisplayModes') ?? ['inline'],
        }
      : {}),
    ...(speaks(shown, 'architecture-page') && has('serverTools') ? { tools: {} } : {}),
    ...(speaks(shown, 'architecture-page') && has('serverResources') ? { resources: {} } : {}),
  };
};

/** The answer to ui/initialize with the fields older apps look for beside today's. */
export const toOldInitializeResult = (result: Params, shown: Shown): Params => {
  const { hostCapabilities, hostContext } = result;
  if (!isRecord(hostContext) || !isRecord(hostCapabilities)) return result;
  return {
    ...result,
    hostCapabilities: toOldCapabilities(hostCapabilities, hostContext, shown),
    hostContext: toOldContext(hostContext, shown),
  };
};

/** Parameters of a notification with the fields older apps look for beside today's. */
export const toOldParams = (
  method: string,
  params: Params,
  shown: Shown,
  toolName: string | undefined,
): Params => {
  const named = toolName === undefined ? {} : { toolName };
  switch (method) {
    case 'ui/notifications/host-context-changed':
      return toOldContext(params, shown);
    case 'ui/notifications/tool-input':
    case 'ui/notifications/tool-input-partial':
      return speaks(shown, 'goose') ? { ...params, ...named } : params;
    case 'ui/notifications/tool-result':
      return speaks(shown, 'goose') ? { ...params, ...named, result: params } : params;
    default:
      return params;
  }
};

import { isRecord, readOwn } from '../is-record.js';
import type { Dialect } from './aliases.js';

/** Parameters in today's shape, the dialects they gave away, and what to tell the author. */
export interface Reading {
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

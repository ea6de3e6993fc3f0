import { readOwn } from '../is-record.js';
import { isUiUri } from './resource-uri.js';
import { readToolLink } from './tool-link.js';

/** Which family of app a tool call shows, or null when it shows none. */
export type UIType = 'mcp-apps' | 'openai-sdk' | 'mcp-ui' | null;

/** A UI that came inside a tool result, as MCP-UI sends it. */
export interface UIResource {
  readonly type: 'resource';
  readonly resource: { readonly uri: string; readonly [key: string]: unknown };
}

/** Whether one item of a tool result is an embedded `ui://` resource; never throws. */
export const isUIResource = (item: unknown): item is UIResource => {
  try {
    return readOwn(item, 'type') === 'resource' && isUiUri(readOwn(readOwn(item, 'resource'), 'uri'));
  } catch {
    // A getter or proxy inside the value.
    return false;
  }
};

const readMeta = (toolMeta: unknown) => readToolLink({ _meta: toolMeta ?? {} });

const readTemplate = (toolMeta: unknown): string | undefined =>
  readMeta({ 'openai/outputTemplate': readOwn(toolMeta, 'openai/outputTemplate') }).resourceUri;

/** Tells the family from a tool's `_meta` and, where that says nothing, from its result; MCP Apps first, MCP-UI last. */
export const detectUIType = (toolMeta: unknown, toolResult: unknown): UIType => {
  const { family } = readMeta(toolMeta);
  if (family === 'mcp-apps') return family;
  if (family === 'openai') return 'openai-sdk';
  const content = readOwn(toolResult, 'content');
  return Array.isArray(content) && content.some(isUIResource) ? 'mcp-ui' : null;
};

/** The address of the UI that a tool's `_meta` names for a family; null where it is in the result or nowhere. */
export const getUIResourceUri = (uiType: UIType, toolMeta: unknown): string | null => {
  if (uiType === 'openai-sdk') return readTemplate(toolMeta) ?? null;
  const { family, resourceUri } = readMeta(toolMeta);
  return uiType === 'mcp-apps' && family === 'mcp-apps' ? (resourceUri ?? null) : null;
};

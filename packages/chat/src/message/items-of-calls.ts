import { isUIResource, readToolLink } from '@casement/protocol/basics';
import { classifyAppMime, readAppHtml } from '@casement/protocol/resource';
import type { McpAppItem, ToolPart } from './message.js';

/** The tool's name in a part of either form (S1-22). */
export const toToolName = (part: ToolPart): string =>
  part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length);

/** Parts never change, and a document is not to be decoded each time something is drawn. */
const known = new WeakMap<ToolPart, McpAppItem | null>();

/**
 * The app of a call, as an item: what its tool's metadata names, otherwise the MCP App that came inside the result
 * (S1-20). Its id is the call's; for the same part it is the same object.
 */
export const toCallItem = (part: ToolPart): McpAppItem | undefined => {
  let item = known.get(part);
  if (item === undefined) known.set(part, (item = readCallItem(part) ?? null));
  return item ?? undefined;
};

const readCallItem = (part: ToolPart): McpAppItem | undefined => {
  const { tool, source, toolCallId } = part;
  if (!tool || source.kind !== 'server') return undefined;
  const { resourceUri } = readToolLink(tool);
  const ui =
    resourceUri === undefined ? (readEmbedded(part) ?? readForeign(part)) : { resource_uri: resourceUri };
  return (
    ui && {
      response_type: 'mcp_app',
      title: tool.title ?? tool.name,
      mcp_app_id: toolCallId,
      tool_name: tool.name,
      tool_call_id: toolCallId,
      ...ui,
      server: source.server,
    }
  );
};

/** The first document in the result that can be shown as an app; all others stay plain resources. */
const readEmbedded = ({
  output,
}: ToolPart): Pick<McpAppItem, 'resource_uri' | 'resource_html'> | undefined => {
  if (!output || output.isError) return undefined;
  for (const block of output.content) {
    if (!isUIResource(block) || block.type !== 'resource') continue;
    const { resource } = block;
    try {
      return { resource_uri: resource.uri, resource_html: readAppHtml([resource], resource.uri).html };
    } catch {
      // No MCP App, which would never say hello, or none that can be read: shown as any other resource.
    }
  }
  return undefined;
};

/**
 * The block of the result that is an app of MCP-UI, for a call whose tool names no app and whose result has no MCP App:
 * it is mounted as it is, because its family is in it (S1-04).
 */
export const toCallEmbedded = (part: ToolPart): unknown => {
  const { tool, output } = part;
  if (!tool || !output || output.isError || readToolLink(tool).resourceUri !== undefined) return undefined;
  if (readEmbedded(part)) return undefined;
  return output.content.find(
    (block) =>
      isUIResource(block) &&
      block.type === 'resource' &&
      classifyAppMime(block.resource.mimeType) === 'mcp-ui',
  );
};

const readForeign = (part: ToolPart): Pick<McpAppItem, 'resource_uri'> | undefined => {
  const block = toCallEmbedded(part);
  return isUIResource(block) ? { resource_uri: block.resource.uri } : undefined;
};

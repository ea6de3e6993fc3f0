import { readToolUi } from '@casement/protocol';
import type { McpAppItem, ToolPart } from './parts.js';

/** The tool's name in a part of either form (S1-22). */
export const toToolName = (part: ToolPart): string =>
  part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length);

/** The app of a call, as an item: what its tool's metadata names, if it names one. Its id is the call's. */
export const toCallItem = (part: ToolPart): McpAppItem | undefined => {
  const { tool, source, toolCallId } = part;
  const { resourceUri } = readToolUi(tool);
  if (!tool || resourceUri === undefined || source.kind !== 'server') return undefined;
  return {
    response_type: 'mcp_app',
    title: tool.title ?? tool.name,
    mcp_app_id: toolCallId,
    tool_name: tool.name,
    tool_call_id: toolCallId,
    resource_uri: resourceUri,
    server: source.server,
  };
};

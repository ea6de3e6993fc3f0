import type { ToolPart } from '@casement/chat';
import { toCallEmbedded } from '@casement/chat';
import type { CallToolResult } from '@casement/protocol';
import type { McpAppOptions } from '../../app/live-options.js';

/** What an app is told of its call: the arguments as they are written, then whole, then what came of it (S5-48). */
export const toCallOptions = (
  call: ToolPart | undefined,
  hostContext: McpAppOptions['hostContext'],
): Partial<McpAppOptions> => {
  if (!call) return {};
  const { tool, toolCallId: id, state, inputText, input, output } = call;
  const embedded = toCallEmbedded(call);
  return {
    ...(tool ? { tool, hostContext: { ...hostContext, toolInfo: { id, tool } } } : {}),
    ...(embedded === undefined ? {} : { embedded }),
    ...(state === 'input-streaming' && inputText !== undefined ? { toolInputText: inputText } : {}),
    ...(input ? { toolInput: input } : {}),
    ...(output ? { toolResult: output } : {}),
    ...(state === 'output-error' && !output ? { toolResult: toErrorResult(call) } : {}),
    ...(state === 'cancelled' ? { toolCancelled: call.errorText ?? true } : {}),
  };
};

const toErrorResult = ({ errorText }: ToolPart): CallToolResult => ({
  content: [{ type: 'text', text: errorText ?? 'The tool failed.' }],
  isError: true,
});

/** The words of a call's result, for a place where its app cannot be shown. */
export const toResultText = (call: ToolPart | undefined): string =>
  (call?.output?.content ?? [])
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n')
    .trim();

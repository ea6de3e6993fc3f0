import type { ContentBlock } from '@casement/protocol';
import type { JSONValue, ModelMessage, ToolResultPart } from 'ai';
import type { ChatMessage, ChatRequest } from './chat-body.js';
import { toImage, toText } from './content-text.js';
import type { ModelKind } from './model-config.js';

/** What a model is told, in the SDK's words. */
export interface Prompt {
  system?: string;
  messages: ModelMessage[];
}

const toUserPart = (block: ContentBlock) => {
  const image = toImage(block);
  return image === undefined
    ? { type: 'text' as const, text: toText(block) }
    : { type: 'file' as const, ...image };
};

type ToolResult = Extract<ChatMessage, { role: 'tool' }>['results'][number];

/** Chat completions know only text in a tool's result; a picture would go there as its base64 letters. */
const toToolOutput = ({ content, isError }: ToolResult, kind: ModelKind): ToolResultPart['output'] => {
  const text = content.map(toText).join('\n');
  if (isError === true) return { type: 'error-text', value: text };
  if (kind !== 'anthropic' || !content.some((block) => toImage(block) !== undefined)) {
    return { type: 'text', value: text };
  }
  return {
    type: 'content',
    value: content.map((block) => {
      const image = toImage(block);
      return image === undefined ? { type: 'text', text: toText(block) } : { type: 'image-data', ...image };
    }),
  };
};

const toMessage = (message: Exclude<ChatMessage, { role: 'system' }>, kind: ModelKind): ModelMessage => {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.content.map(toUserPart) };
    case 'assistant':
      return {
        role: 'assistant',
        content: message.content.map((block) =>
          block.type === 'text'
            ? block
            : {
                type: 'tool-call',
                toolCallId: block.id,
                toolName: block.name,
                // It came as JSON, so it is nothing else.
                input: block.arguments as JSONValue,
              },
        ),
      };
    case 'tool':
      return {
        role: 'tool',
        content: message.results.map((result) => ({
          type: 'tool-result',
          toolCallId: result.id,
          toolName: result.name,
          output: toToolOutput(result, kind),
        })),
      };
  }
};

/**
 * Writes a request as a prompt. What the system says goes in front, wherever it stood: many templates of local models,
 * and Anthropic's API, take it nowhere else.
 */
export const toPrompt = ({ messages }: ChatRequest, kind: ModelKind): Prompt => {
  const system = messages.flatMap((message) => (message.role === 'system' ? [message.text] : []));
  return {
    ...(system.length > 0 && { system: system.join('\n\n') }),
    messages: messages.flatMap((message) => (message.role === 'system' ? [] : [toMessage(message, kind)])),
  };
};

import type { ContentBlock } from '@casement/protocol';
import { toModelImage, toModelText } from '@casement/protocol';
import type { FilePart, JSONValue, ModelMessage, TextPart, ToolCallPart, ToolResultPart } from 'ai';
import type { ChatMessage, ChatRequest } from './chat-format.js';
import type { ModelKind } from './model-config.js';

/** What a model is told, in the form of the SDK. */
export interface Prompt {
  system?: string;
  messages: ModelMessage[];
}

type ToolResult = Extract<ChatMessage, { role: 'tool' }>['results'][number];
type ToolContent = Extract<ToolResultPart['output'], { type: 'content' }>['value'];

/** Anthropic refuses a request, and every later one of the conversation, for one text that has only spaces. */
const isBlank = (text: string): boolean => text.trim() === '';

const toTextPart = (text: string): { type: 'text'; text: string }[] =>
  isBlank(text) ? [] : [{ type: 'text', text }];

const toUserPart = (block: ContentBlock): (TextPart | FilePart)[] => {
  const image = toModelImage(block);
  return image === undefined ? toTextPart(toModelText(block)) : [{ type: 'file', ...image }];
};

/** Chat completions know only text in a tool's result; a picture would go there as its base64 letters. */
const toToolOutput = ({ content, isError }: ToolResult, kind: ModelKind): ToolResultPart['output'] => {
  const text = content.map(toModelText).join('\n');
  if (isError === true) return { type: 'error-text', value: text };
  if (kind !== 'anthropic' || !content.some((block) => toModelImage(block) !== undefined)) {
    return { type: 'text', value: text };
  }
  return {
    type: 'content',
    value: content.flatMap((block): ToolContent => {
      const image = toModelImage(block);
      return image === undefined ? toTextPart(toModelText(block)) : [{ type: 'image-data', ...image }];
    }),
  };
};

// OpenAI takes ids of 40 characters at most; others, such as "functions.name:0", are to come back as they were.
const takenIds: Readonly<Record<ModelKind, RegExp>> = {
  'openai-compatible': /^.{1,40}$/s,
  anthropic: /^[\w-]{1,64}$/,
};

/** Gives ids of calls that another model of the conversation chose, and this one's provider refuses, a new one. */
const createIds = (kind: ModelKind): ((id: string) => string) => {
  const own = new Map<string, string>();
  return (id) => {
    if (takenIds[kind].test(id)) return id;
    const known = own.get(id) ?? `casement_call_${own.size + 1}`;
    own.set(id, known);
    return known;
  };
};

const toMessage = (
  message: Exclude<ChatMessage, { role: 'system' }>,
  kind: ModelKind,
  toId: (id: string) => string,
): ModelMessage => {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.content.flatMap(toUserPart) };
    case 'assistant':
      return {
        role: 'assistant',
        content: message.content.flatMap((block): (TextPart | ToolCallPart)[] =>
          block.type === 'text'
            ? toTextPart(block.text)
            : [
                {
                  type: 'tool-call',
                  toolCallId: toId(block.id),
                  toolName: block.name,
                  // It came as JSON, so it is nothing else.
                  input: block.arguments as JSONValue,
                },
              ],
        ),
      };
    case 'tool':
      return {
        role: 'tool',
        content: message.results.map((result) => ({
          type: 'tool-result',
          toolCallId: toId(result.id),
          toolName: result.name,
          output: toToolOutput(result, kind),
        })),
      };
  }
};

/**
 * Writes a request as a prompt. What the system says goes in front, wherever it stood: many templates of local models,
 * and Anthropic's API, take it nowhere else. Messages in which nothing is said are left out.
 */
export const toPrompt = ({ messages }: ChatRequest, kind: ModelKind): Prompt => {
  const system = messages.flatMap((message) => (message.role === 'system' ? toTextPart(message.text) : []));
  const toId = createIds(kind);
  return {
    ...(system.length > 0 && { system: system.map(({ text }) => text).join('\n\n') }),
    messages: messages
      .flatMap((message) => (message.role === 'system' ? [] : [toMessage(message, kind, toId)]))
      .filter(({ content }) => content.length > 0),
  };
};

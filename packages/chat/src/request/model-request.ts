import type { ContentBlock } from '@casement/protocol';
import { toKnownBlock } from '@casement/protocol/consents';
import type { ConversationLimits } from '../conversation-limits.js';
import { toToolName } from '../message/items-of-calls.js';
import type { ConversationMessage, DeliveredContext, MessagePart, ToolPart } from '../message/message.js';
import { isOver, isToolPart } from '../message/message.js';
import type { AssistantBlock, ModelMessage, ModelRequest, ModelToolResult } from '../model/model.js';
import { toModelName } from '../tools/offered-names.js';
import type { OfferedTool } from '../tools/offered-tools.js';
import { fitMessages } from './fit-messages.js';
import type { ModelMarks } from './model-marks.js';
import { createModelMarks } from './model-marks.js';

/** All that a model is told of. */
interface ModelView {
  readonly system?: string | undefined;
  readonly messages: readonly ConversationMessage[];
  readonly tools: readonly OfferedTool[];
  readonly limits: Pick<ConversationLimits, 'maxTokens' | 'maxResult' | 'maxRequest'>;
}

/** The conversation as a model is sent it. */
export const toModelRequest = ({ system, messages, tools, limits }: ModelView): ModelRequest => {
  const standing = toStandingContexts(messages);
  const { maxTokens } = limits;
  const marks = createModelMarks();
  const told = messages.flatMap((message) =>
    message.role === 'user' ? toUserMessage(message, standing, marks) : toStepMessages(message),
  );
  return {
    messages: [
      ...(system ? [{ role: 'system', text: system } as const] : []),
      ...fitMessages(told, limits, marks),
    ],
    tools: tools.map(({ name, tool: { description, inputSchema } }) => ({
      name,
      ...(description === undefined ? {} : { description }),
      inputSchema,
    })),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
};

/** Per app the last context delivered: it replaces those before, in the model's eyes too (HOST-064). */
const toStandingContexts = (messages: readonly ConversationMessage[]): ReadonlySet<DeliveredContext> => {
  const last = new Map<string, DeliveredContext>();
  for (const { context = [] } of messages) for (const given of context) last.set(given.app.id, given);
  return new Set(last.values());
};

const toUserMessage = (
  { parts, context = [], from }: ConversationMessage,
  standing: ReadonlySet<DeliveredContext>,
  marks: ModelMarks,
): ModelMessage[] => {
  const blocks = parts.flatMap(toUserBlocks);
  const content = [
    ...context.filter((given) => standing.has(given)).flatMap((given) => toContextBlocks(given, marks)),
    // T21: an app's words are not the user's.
    ...(from
      ? marks.enclose('Message', `the app ${toName(from.app)} of the server ${toName(from.server)}`, blocks)
      : blocks),
  ];
  return content.length > 0 ? [{ role: 'user', content }] : [];
};

/** Before the user's text and marked at both ends, so that its words are not taken for the user's (HOST-062, T21). */
const toContextBlocks = ({ app, context }: DeliveredContext, marks: ModelMarks): ContentBlock[] => {
  if (!context) return [];
  const { content = [], structuredContent } = context;
  const version = app.version === undefined ? '' : ` ${toName(app.version)}`;
  const called =
    app.name === undefined ? `the app ${toName(app.id)}` : `the app ${toName(app.name)}${version}`;
  const call = app.toolCallId === undefined ? '' : `, shown for the call ${toName(app.toolCallId)}`;
  return marks.enclose('Context', `${called} of the server ${toName(app.server)}${call}`, [
    ...content.map(toKnownBlock),
    ...(structuredContent ? [toText(JSON.stringify(structuredContent))] : []),
  ]);
};

const toUserBlocks = (part: MessagePart): ContentBlock[] => {
  if (part.type === 'text' && 'text' in part) return [toText(part.text)];
  return part.type === 'content' && 'content' in part ? [toKnownBlock(part.content)] : [];
};

/** What the model said, and what came of its calls; calls that are under way are left out. */
const toStepMessages = ({ parts }: ConversationMessage): ModelMessage[] => {
  const content: AssistantBlock[] = [];
  const results: ModelToolResult[] = [];
  for (const part of parts) {
    if (isToolPart(part)) {
      if (!isOver(part)) continue;
      // A name the model made up may be one that no model's provider takes back.
      const name = toModelName(toToolName(part));
      content.push({ type: 'tool-call', id: part.toolCallId, name, arguments: part.input ?? {} });
      results.push({ id: part.toolCallId, name, ...toResult(part) });
    } else if (part.type === 'text' && part.text !== '') {
      content.push({ type: 'text', text: part.text });
    }
  }
  return [
    ...(content.length > 0 ? [{ role: 'assistant', content } as const] : []),
    ...(results.length > 0 ? [{ role: 'tool', results } as const] : []),
  ];
};

/** HOST-076: the content; structuredContent only in its place. */
const toResult = ({ output, errorText }: ToolPart): Pick<ModelToolResult, 'content' | 'isError'> => {
  if (!output) return { content: [toText(errorText ?? 'The call was cancelled.')], isError: true };
  const { content, structuredContent, isError } = output;
  const isBare = content.length === 0 && structuredContent !== undefined;
  return {
    content: isBare ? [toText(JSON.stringify(structuredContent))] : content.map(toKnownBlock),
    ...(isError ? { isError } : {}),
  };
};

const toText = (text: string): ContentBlock => ({ type: 'text', text });

/** A name somebody else chose: quoted, on one line, not endless. */
const toName = (name: string): string => JSON.stringify(name.slice(0, 100));

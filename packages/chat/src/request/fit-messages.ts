import type { ContentBlock } from '@casement/protocol';
import type { ConversationLimits } from '../conversation-limits.js';
import type { ModelMarks } from './model-marks.js';
import type { ModelMessage } from '../model/model.js';

/** Texts of at most this many characters are kept: a note in their place would be as long. */
const always = 200;

/**
 * Shortens a conversation to what a model can take in one request. The newest messages are kept first, and a note
 * stands where something was cut. Without this, one huge result would make every later turn fail too, because each step
 * sends the whole conversation.
 */
export const fitMessages = (
  messages: readonly ModelMessage[],
  { maxResult, maxRequest }: Pick<ConversationLimits, 'maxResult' | 'maxRequest'>,
  marks: Pick<ModelMarks, 'has'>,
): readonly ModelMessage[] => {
  let room = maxRequest;
  const take = (content: readonly ContentBlock[], maxText: number): ContentBlock[] => {
    let text = maxText;
    return content.map((block) => {
      const isText = toText(block) !== undefined;
      // Without its marks an app's text would stand there as the user's.
      const fitted = marks.has(block) ? block : fitBlock(block, isText ? Math.min(room, text) : room);
      const size = toSize(fitted);
      room = Math.max(0, room - size);
      if (isText) text = Math.max(0, text - size);
      return fitted;
    });
  };
  const fit = (message: ModelMessage): ModelMessage => {
    if (message.role === 'user') return { ...message, content: take(message.content, room) };
    if (message.role === 'tool')
      return {
        ...message,
        results: message.results.map((result) => ({ ...result, content: take(result.content, maxResult) })),
      };
    room = Math.max(0, room - JSON.stringify(message).length);
    return message;
  };
  return messages.toReversed().map(fit).toReversed();
};

const toText = (block: ContentBlock): string | undefined => {
  if (block.type === 'text') return block.text;
  return block.type === 'resource' && 'text' in block.resource ? block.resource.text : undefined;
};

const toSize = (block: ContentBlock): number => {
  if (block.type === 'image' || block.type === 'audio') return block.data.length;
  if (block.type === 'resource' && 'blob' in block.resource) return block.resource.blob.length;
  return toText(block)?.length ?? 0;
};

const fitBlock = (block: ContentBlock, most: number): ContentBlock => {
  const size = toSize(block);
  if (size <= Math.max(most, always)) return block;
  const text = toText(block);
  if (text === undefined) return { type: 'text', text: `[${block.type} of ${size} characters: left out]` };
  // Not between the two halves of one character.
  const cut = `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}\n[cut: ${size - most} more characters]`;
  return block.type === 'resource'
    ? { ...block, resource: { ...block.resource, text: cut } }
    : { type: 'text', text: cut };
};

import type { ContentBlock, ParamsOf, ResultOf } from '@casement/protocol';
import { CasementError } from '@casement/protocol/start';
import type { ConversationLimits } from '../conversation-limits.js';
import type { FinishReason } from '../message/message.js';
import type { ChatModel, ModelMessage, ModelRequest } from '../model/model.js';
import type { RecordStep } from '../model/model-record.js';
import { readModel, type ReadingOptions } from '../model/read-model.js';

/** What an app's question to the model needs of the conversation. */
export interface SamplingOptions {
  readonly limits: Pick<
    ConversationLimits,
    'maxSamplingTokens' | 'maxSamplingPerMinute' | 'maxText' | 'silenceMs'
  >;
  /** The one the user chose; what an app prefers is not asked (HOST-082). */
  getModel(): ChatModel;
  readonly closed: AbortSignal;
  readonly record: RecordStep;
}

/** Asks the model of the conversation for an app. */
export type CreateMessage = (
  params: ParamsOf<'sampling/createMessage'>,
  options?: { readonly signal?: AbortSignal },
) => Promise<ResultOf<'sampling/createMessage'>>;

const minuteMs = 60_000;

/**
 * Creates the function that asks the chosen model on behalf of apps (HOST-082). It handles one request at a time for
 * the whole conversation, limits how often and how long, and sends neither tools nor any text of the conversation. It
 * rejects with an error that may be shown to the app; the model's own error is its `cause`.
 */
export const createSampling = ({ limits, getModel, closed, record }: SamplingOptions): CreateMessage => {
  const asked: number[] = [];
  let isBusy = false;

  const enter = (): void => {
    if (closed.aborted) throw new CasementError('session-closed', 'The conversation is over.');
    const now = Date.now();
    while (asked.length > 0 && now - (asked[0] ?? 0) >= minuteMs) asked.shift();
    if (isBusy || asked.length >= limits.maxSamplingPerMinute) {
      throw new CasementError('rate-limited', 'The model is asked too often.', {
        hint: isBusy
          ? 'Wait for the answer to the question before.'
          : `Ask at most ${limits.maxSamplingPerMinute} times a minute.`,
      });
    }
    asked.push(now);
  };

  return async (params, { signal } = {}) => {
    const request = toRequest(params, limits.maxSamplingTokens);
    const life = AbortSignal.any([closed, ...(signal ? [signal] : [])]);
    if (signal?.aborted) throw toCancelled();
    enter();
    isBusy = true;
    const model = getModel();
    try {
      const answer = await readAnswer(model, request, limits.maxText, {
        signal: life,
        silenceMs: limits.silenceMs,
        record,
      });
      if (life.aborted) throw toCancelled();
      return { model: model.name, role: 'assistant', ...answer };
    } catch (error) {
      if (life.aborted) throw toCancelled();
      if (error instanceof CasementError && error.code === 'sampling-refused') throw error;
      // A provider's words may name accounts and addresses; they are not for apps.
      throw new CasementError('sampling-refused', 'The model did not answer.', {
        hint: 'Try again later.',
        cause: error,
      });
    } finally {
      isBusy = false;
    }
  };
};

const readAnswer = async (
  model: ChatModel,
  request: ModelRequest,
  maxText: number,
  reading: ReadingOptions,
): Promise<Pick<ResultOf<'sampling/createMessage'>, 'content' | 'stopReason'>> => {
  let text = '';
  for await (const event of readModel(model, request, reading)) {
    if (event.type === 'text') text += event.delta;
    if (text.length > maxText) throw toRefusal('The answer is too long.', 'Ask for less.');
    if (event.type !== 'finish') continue;
    // A model that was offered no tools and calls one all the same has not answered.
    if (text === '') throw toRefusal('The model answered nothing.', 'Ask in other words.');
    return { content: { type: 'text', text }, ...toStopReason(event.reason) };
  }
  // Only when it was taken back: an answer that breaks off is thrown.
  throw toCancelled();
};

const stopReasons = { stop: 'endTurn', length: 'maxTokens' } as const;

const toStopReason = (reason: FinishReason): Pick<ResultOf<'sampling/createMessage'>, 'stopReason'> =>
  reason === 'stop' || reason === 'length' ? { stopReason: stopReasons[reason] } : {};

/** Nothing but the app's own words and the limit: no tools, no context, no system text of the conversation. */
const toRequest = (
  { messages, systemPrompt, maxTokens, ...more }: ParamsOf<'sampling/createMessage'>,
  maxSamplingTokens: number,
): ModelRequest => {
  if ('tools' in more || 'toolChoice' in more)
    throw toRefusal('The model gets no tools from an app.', 'Leave tools out.');
  if (messages.length === 0 || !(maxTokens >= 1))
    throw toRefusal('The question is empty.', 'Send a message and at least one token.');
  return {
    messages: [
      ...(systemPrompt ? [{ role: 'system', text: systemPrompt } as const] : []),
      ...messages.map(toModelMessage),
    ],
    tools: [],
    maxTokens: Math.min(Math.floor(maxTokens), maxSamplingTokens),
  };
};

const toModelMessage = ({
  role,
  content,
}: ParamsOf<'sampling/createMessage'>['messages'][number]): ModelMessage => {
  const blocks = (Array.isArray(content) ? content : [content]).map(parseBlock);
  if (role === 'user') return { role, content: blocks };
  return {
    role,
    content: blocks.map((block) => {
      if (block.type === 'text') return { type: 'text', text: block.text };
      throw toRefusal('The model itself says nothing but text.', 'Send pictures and sound as the user.');
    }),
  };
};

/** The three kinds a question may have; tool results would need a call of ours. */
const parseBlock = ({ type, text, data, mimeType }: Readonly<Record<string, unknown>>): ContentBlock => {
  if (type === 'text' && typeof text === 'string') return { type, text };
  if ((type === 'image' || type === 'audio') && typeof data === 'string' && typeof mimeType === 'string')
    return { type, data, mimeType };
  throw toRefusal('The question holds a block that no model is asked with.', 'Send text, images or audio.');
};

const toRefusal = (message: string, hint: string): CasementError =>
  new CasementError('sampling-refused', message, { hint });

const toCancelled = (): CasementError => new CasementError('cancelled', 'The question was taken back.');

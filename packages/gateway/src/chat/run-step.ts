import { CasementError } from '@casement/protocol/start';
import { jsonSchema, streamText, tool, type ToolSet } from 'ai';
import type { ChatEvent, ChatRequest } from './chat-format.js';
import type { ModelConfig, ModelKind } from './model-config.js';
import { toCutOff, toModelFailure } from './model-failure.js';
import { createProviderModel } from './provider-model.js';
import { toPrompt } from './to-prompt.js';
import { toToolSchema } from './tool-schema.js';

const MAX_ANSWER_CHARS = 16 * 1024 * 1024;

/**
 * Anthropic refuses a conversation in which tools were called when none is on offer any more, as after the loss of a
 * server: those that were called stand in.
 */
const toOffered = ({ tools, messages }: ChatRequest, kind: ModelKind): ChatRequest['tools'] => {
  if (tools.length > 0 || kind !== 'anthropic') return tools;
  const called = messages.flatMap((message) =>
    message.role === 'tool' ? message.results.map(({ name }) => name) : [],
  );
  return [...new Set(called)].map((name) => ({ name, description: 'No longer there.', inputSchema: {} }));
};

/** Tools without a way to run them here: a call ends the step and goes back to the page. */
const toTools = (tools: ChatRequest['tools']): { tools?: ToolSet } => {
  if (tools.length === 0) return {};
  const entries = tools.map(({ name, description, inputSchema }) => [
    name,
    tool({
      inputSchema: jsonSchema(toToolSchema(inputSchema)),
      ...(description !== undefined && { description }),
    }),
  ]);
  // No prototype: the SDK looks tools up by names that the model makes up.
  return { tools: Object.assign(Object.create(null) as ToolSet, Object.fromEntries(entries)) };
};

const toReason = (reason: string): Extract<ChatEvent, { type: 'finish' }>['reason'] =>
  reason === 'stop' || reason === 'tool-calls' || reason === 'length' ? reason : 'other';

/** Runs one step of a model and yields its events; throws named failures, and ends quietly when aborted. */
export async function* runStep(
  config: ModelConfig,
  request: ChatRequest,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent, void, undefined> {
  // The SDK prints warnings to stdout, where `casement --json` promises one line and nothing else.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const texts = new Map<string, string>();
  const calls: ChatEvent[] = [];
  let chars = 0;
  const count = (delta: string): void => {
    chars += delta.length;
    if (chars > MAX_ANSWER_CHARS) {
      throw new CasementError('model-failed', `The answer of "${config.label}" is over the limit of 16 MB.`);
    }
  };
  const prompt = toPrompt(request, config.kind);
  if (prompt.messages.length === 0) {
    throw new CasementError('model-failed', 'There is nothing to ask the model: no message says anything.', {
      hint: 'Write a message.',
    });
  }
  try {
    const { fullStream } = streamText({
      model: createProviderModel(config),
      ...prompt,
      ...toTools(toOffered(request, config.kind)),
      ...(request.maxTokens !== undefined && { maxOutputTokens: request.maxTokens }),
      abortSignal: signal,
      // People try again, seeing why.
      maxRetries: 0,
      // It comes as a part of the stream too; the default prints it, key and all.
      onError: () => undefined,
    });
    for await (const part of fullStream) {
      switch (part.type) {
        case 'text-delta':
          count(part.text);
          if (part.text !== '') yield { type: 'text', delta: part.text };
          break;
        case 'tool-input-start':
          texts.set(part.id, '');
          yield { type: 'tool-input-start', id: part.id, name: part.toolName };
          break;
        case 'tool-input-delta':
          count(part.delta);
          texts.set(part.id, `${texts.get(part.id) ?? ''}${part.delta}`);
          if (part.delta !== '') yield { type: 'tool-input-delta', id: part.id, delta: part.delta };
          break;
        case 'tool-call': {
          // Told with the finish: of an answer that breaks off, the SDK makes calls with half their arguments.
          const { toolCallId: id, toolName: name, input } = part;
          const text = texts.get(id) || (typeof input === 'string' ? input : JSON.stringify(input));
          calls.push({ type: 'tool-call', id, name, text });
          break;
        }
        case 'finish-step':
          if (part.rawFinishReason === undefined) throw toCutOff(config);
          yield* calls;
          yield { type: 'finish', reason: toReason(part.finishReason) };
          return;
        case 'error':
          throw part.error;
        case 'abort':
          return;
      }
    }
    throw toCutOff(config);
  } catch (error) {
    if (signal.aborted) return;
    throw toModelFailure(error, config);
  }
}

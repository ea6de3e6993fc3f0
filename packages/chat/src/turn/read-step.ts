import { TurnFailure } from '../conversation-failure.js';
import type { DynamicToolPart, MessagePart } from '../message/message.js';
import type { ChatModel, ModelEvent, ModelRequest } from '../model/model.js';
import { readModel, toStreamCut } from '../model/read-model.js';
import type { Turn } from './turn.js';

/** A call the model asked for in a step. */
export interface StepCall {
  readonly toolCallId: string;
  name: string;
  text: string;
  isComplete: boolean;
}

/** One step of the model while it is written down. */
interface Step {
  readonly messageId: string;
  readonly model: ChatModel;
  readonly request: ModelRequest;
  /** Whose tool this is, and what it is. */
  describe(name: string): Pick<DynamicToolPart, 'source' | 'tool'>;
  /** An id no other call of the conversation has, the model's own if possible. */
  toCallId(modelId: string): string;
}

/** Writes down what the model says in one step; throws when the answer breaks off, returns early when aborted. */
export const readStep = async (
  { signal, store, limits, recordStep }: Turn,
  { model, request, messageId, describe, toCallId }: Step,
): Promise<readonly StepCall[]> => {
  const calls: StepCall[] = [];
  const byModelId = new Map<string, StepCall>();
  let length = 0;

  const write = (change: (parts: readonly MessagePart[]) => readonly MessagePart[]): void => {
    const isThere = store.getSnapshot().messages.some(({ id }) => id === messageId);
    if (!isThere) store.append({ id: messageId, role: 'assistant', parts: change([]) });
    else store.update(messageId, (message) => ({ ...message, parts: change(message.parts) }));
  };
  const addText = (delta: string): void => {
    length += delta.length;
    if (length > limits.maxText) throw toTooLarge(`The answer has more than ${limits.maxText} characters.`);
    if (delta === '') return;
    write((parts) => {
      const last = parts.at(-1);
      return last?.type === 'text' && 'text' in last
        ? [...parts.slice(0, -1), { type: 'text', text: last.text + delta }]
        : [...parts, { type: 'text', text: delta }];
    });
  };
  const openCall = (modelId: string, name: string): StepCall => {
    const known = byModelId.get(modelId);
    // Some models give all their calls the same id: after a complete one the next is another.
    if (known && !known.isComplete) return known;
    if (calls.length >= limits.maxCalls)
      throw toTooLarge(`The model wants more than ${limits.maxCalls} calls at once.`);
    const call: StepCall = { toolCallId: toCallId(modelId), name, text: '', isComplete: false };
    calls.push(call);
    byModelId.set(modelId, call);
    write((parts) => [
      ...parts,
      {
        type: 'dynamic-tool',
        toolName: name,
        toolCallId: call.toolCallId,
        ...describe(name),
        state: 'input-streaming',
        inputText: '',
      },
    ]);
    return call;
  };
  const setInput = (call: StepCall, text: string): void => {
    if (text.length > limits.maxInput)
      throw toTooLarge(`The arguments of a call have more than ${limits.maxInput} characters.`);
    call.text = text;
    const { toolCallId, name } = call;
    store.updateCall(messageId, toolCallId, {
      inputText: text,
      toolName: name,
      ...describe(name),
    });
  };
  const take = (event: ModelEvent): void => {
    switch (event.type) {
      case 'text':
        return addText(event.delta);
      case 'tool-input-start':
        return void openCall(event.id, event.name);
      case 'tool-input-delta': {
        const call = byModelId.get(event.id);
        if (call && !call.isComplete) setInput(call, call.text + event.delta);
        return;
      }
      case 'tool-call': {
        const call = openCall(event.id, event.name);
        call.name = event.name;
        call.isComplete = true;
        return setInput(call, event.text);
      }
      case 'finish':
        return store.update(messageId, (message) => ({ ...message, finish: event.reason }));
    }
  };

  for await (const event of readModel(model, request, {
    signal,
    silenceMs: limits.silenceMs,
    record: recordStep,
  })) {
    take(event);
  }
  if (signal.aborted) return [];
  if (calls.some(({ isComplete }) => !isComplete)) throw toStreamCut();
  return calls;
};

const toTooLarge = (message: string): TurnFailure =>
  new TurnFailure('message-too-large', message, 'Try again, or choose another model.');

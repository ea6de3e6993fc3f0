import { modelFailed, toFailure, TurnFailure } from '../conversation-failure.js';
import type { ConversationFailure } from '../conversation-failure.js';
import type { RecordStep } from './model-record.js';
import type { ChatModel, ModelEvent, ModelRequest } from './model.js';
import { takeUntilAborted } from '../until-aborted.js';

/** How a step is read. */
export interface ReadingOptions {
  readonly signal: AbortSignal;
  readonly silenceMs: number;
  readonly record: RecordStep;
}

/** What a model says in one step, until it is aborted; a model that says nothing for too long is let go of by name. */
export async function* readModel(
  model: ChatModel,
  request: ModelRequest,
  { signal, silenceMs, record }: ReadingOptions,
): AsyncGenerator<ModelEvent, void> {
  const step = record(model.name, request);
  let failure: ConversationFailure | undefined;
  try {
    for await (const event of readInTime(model, request, signal, silenceMs)) {
      step.take(event);
      yield event;
      if (event.type === 'finish') return;
    }
    if (!signal.aborted) throw toStreamCut();
  } catch (error) {
    failure = toFailure(error, modelFailed);
    throw error;
  } finally {
    step.end(failure);
  }
}

/** The failure of an answer that ended before it was complete. */
export const toStreamCut = (): TurnFailure =>
  new TurnFailure('stream-cut', 'The answer of the model broke off.', 'Try again.');

async function* readInTime(
  model: ChatModel,
  request: ModelRequest,
  signal: AbortSignal,
  silenceMs: number,
): AsyncGenerator<ModelEvent, void> {
  const silence = new AbortController();
  const life = AbortSignal.any([signal, silence.signal]);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listen = (): void => {
    timer = setTimeout(() => silence.abort(), silenceMs);
  };
  listen();
  try {
    for await (const event of takeUntilAborted(model.stream(request, { signal: life }), life)) {
      clearTimeout(timer);
      yield event;
      listen();
    }
  } finally {
    clearTimeout(timer);
  }
  if (!silence.signal.aborted) return;
  throw new TurnFailure(
    'model-silent',
    `The model said nothing for ${Math.round(silenceMs / 1000)} seconds.`,
    'Try again, or choose another model.',
  );
}

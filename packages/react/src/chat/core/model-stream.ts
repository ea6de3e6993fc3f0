import { TurnFailure } from './conversation-failure.js';
import type { ChatModel, ModelEvent, ModelRequest } from './model.js';
import { takeUntilAborted } from './turn-abort.js';

/** What a model says in one step, until it is aborted; a model that says nothing for too long is let go of by name. */
export async function* readModel(
  model: ChatModel,
  request: ModelRequest,
  { signal, silenceMs }: { readonly signal: AbortSignal; readonly silenceMs: number },
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

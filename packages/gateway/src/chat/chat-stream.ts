import { CasementError } from '@casement/protocol';
import type { ChatRequest } from './chat-body.js';
import type { ChatEvent } from './chat-event.js';
import type { ModelConfig } from './model-config.js';

const toErrorEvent = (error: unknown): ChatEvent => {
  const known = error instanceof CasementError ? error : new CasementError('internal', 'Internal error');
  const { code, message, hint } = known;
  return { type: 'error', code, message, ...(hint !== undefined && { hint }) };
};

async function* runLazily(
  config: ModelConfig,
  request: ChatRequest,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent, void, undefined> {
  // Only who talks to a model waits for the SDK to load.
  const { runStep } = await import('./run-step.js');
  yield* runStep(config, request, signal);
}

/** One step of a model as JSON lines; a failure is the last of them. With the last line, or when its reader goes away, the provider's request ends. */
export const createChatStream = (
  config: ModelConfig,
  request: ChatRequest,
  gone: AbortSignal,
): ReadableStream<Uint8Array> => {
  const own = new AbortController();
  // Nobody cancels a stream whose reader left before its first line was on the way: the request itself tells.
  const signal = AbortSignal.any([own.signal, gone]);
  const events = runLazily(config, request, signal);
  const encoder = new TextEncoder();
  const toLine = (event: ChatEvent): Uint8Array => encoder.encode(`${JSON.stringify(event)}\n`);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let line: Uint8Array | undefined;
        let ended = false;
        try {
          const next = await events.next();
          if (next.done === true) ended = true;
          else line = toLine(next.value);
        } catch (error) {
          line = toLine(toErrorEvent(error));
          ended = true;
        }
        // Nobody reads any more; the stream is closed already and would complain.
        if (own.signal.aborted) return;
        if (line !== undefined) controller.enqueue(line);
        if (!ended) return;
        controller.close();
        // The SDK leaves the provider's connection open when its reader stops early, as a failure does.
        own.abort();
      },
      cancel() {
        own.abort();
      },
    },
    { highWaterMark: 0 },
  );
};

import { CasementError } from '@casement/protocol/start';
import type { ChatEvent, ChatRequest } from './chat-format.js';
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
  // The SDK is loaded with the first request to a model.
  const { runStep } = await import('./run-step.js');
  yield* runStep(config, request, signal);
}

/** Creates the stream of one step of a model: JSON lines, a failure being the last. The provider's request ends with the last line, or when the reader goes away. */
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

import type { PlainBody } from '../reading/plain-body.js';

/** The parser of server-sent events that the official client uses: it is fed text and calls back. */
type CreateParser<Event, Hooks> = (hooks: Hooks & { onEvent: (event: Event) => void }) => {
  feed(text: string): void;
};

/**
 * Reads the events of a body one by one, as a pipe through `TextDecoderStream` and a stream of the parser would. Those two
 * are streams of Node's that nothing else of a start needs, and each of them handles every event once more; the build of the
 * command gives the official client this.
 */
export const createPlainEvents = <Event, Hooks>(
  createParser: CreateParser<Event, Hooks>,
  body: PlainBody,
  hooks: Hooks,
): { read(): Promise<{ done: false; value: Event } | { done: true; value: undefined }> } => {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const events: Event[] = [];
  const parser = createParser({ ...hooks, onEvent: (event) => void events.push(event) });
  return {
    async read() {
      for (;;) {
        const value = events.shift();
        if (value !== undefined) return { done: false, value };
        const part = await reader.read();
        // An event that was not ended is none.
        if (part.done) return { done: true, value: undefined };
        const text = decoder.decode(part.value, { stream: true });
        if (text !== '') parser.feed(text);
      }
    },
  };
};

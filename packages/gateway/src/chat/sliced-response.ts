import { CasementError } from '@casement/protocol';
import { createEventReader } from '../event-reader.js';
import { toPieceStream } from '../piece-stream.js';
import { startSlice } from '../turns.js';

/** One event of a provider; a whole answer is at most as long. */
const MAX_EVENT_BYTES = 32 * 1024 * 1024;

/**
 * The same answer, event by event and only as fast as each is dealt with: a provider that sends thousands of events at
 * once does not hold the gateway. Other answers pass as they are.
 */
export const toSlicedResponse = (response: Response, signal?: AbortSignal | null): Response => {
  const { body, status, statusText, headers } = response;
  const isStream = headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') ?? false;
  if (body === null || !isStream) return response;
  const sliced = toPieceStream(body, readSliced, { signal });
  return new Response(sliced, { status, statusText, headers });
};

async function* readSliced(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = createEventReader({ maxBytes: MAX_EVENT_BYTES });
  const slice = startSlice();
  for await (const { buffer, byteOffset, byteLength } of body) {
    for (const event of reader.push(Buffer.from(buffer, byteOffset, byteLength))) {
      if (event.kind === 'oversize')
        throw new CasementError('model-failed', 'The model sent an event over the limit of 32 MB.');
      yield event.bytes;
      if (slice.isOver) await slice.rest();
    }
  }
  // Some providers leave out the blank line after their last event.
  const rest = reader.takeRest();
  if (rest.length > 0) yield rest;
}

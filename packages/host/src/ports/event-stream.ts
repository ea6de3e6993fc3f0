import { createLineSplitter } from '@casement/protocol/basics';

/** Splits a stream of server-sent events into the data of each; incomplete events wait for their rest. */
export const createEventParser = (): ((chunk: string) => string[]) => {
  const split = createLineSplitter();
  let data: string[] = [];
  return (chunk) => {
    const events: string[] = [];
    for (const line of split(chunk)) {
      if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
      if (line !== '' || data.length === 0) continue;
      events.push(data.join('\n'));
      data = [];
    }
    return events;
  };
};

/** Yields each event's JSON; an event that is not JSON is left out. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const parse = createEventParser();
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read())
    for (const data of parse(part.value)) {
      try {
        yield JSON.parse(data) as unknown;
      } catch {
        continue;
      }
    }
}

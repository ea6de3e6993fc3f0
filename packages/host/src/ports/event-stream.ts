/** Splits a stream of server-sent events into the data of each; incomplete events wait for their rest. */
export const createEventParser = (): ((chunk: string) => string[]) => {
  let rest = '';
  return (chunk) => {
    // A carriage return at the very end may be half of a line break.
    const text = rest + chunk;
    const held = text.endsWith('\r') ? '\r' : '';
    const events = text
      .slice(0, text.length - held.length)
      .replace(/\r\n?/g, '\n')
      .split('\n\n');
    rest = (events.pop() ?? '') + held;
    return events.flatMap((event) => {
      const data = event
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).replace(/^ /, ''));
      return data.length > 0 ? [data.join('\n')] : [];
    });
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

import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { createPlainBody } from '../reading/plain-body.js';
import { createPlainEvents } from './plain-events.js';

interface Hooks {
  onRetry(ms: number): void;
}
interface Event {
  data: string;
  event?: string;
  id?: string;
}

// The client depends on this package; nobody else does.
const from = createRequire(createRequire(import.meta.url).resolve('@modelcontextprotocol/client'));
const { createParser } = from('eventsource-parser') as {
  createParser: (hooks: Hooks & { onEvent: (event: Event) => void }) => { feed(text: string): void };
};
const { EventSourceParserStream } = from('eventsource-parser/stream') as {
  EventSourceParserStream: new (hooks: Hooks) => TransformStream<string, Event>;
};

const toBody = (text: Uint8Array, size: number) => {
  let at = 0;
  return createPlainBody({
    next: () => Promise.resolve(at < text.length ? text.slice(at, (at += size)) : undefined),
    cancel: () => undefined,
  });
};

const text = new TextEncoder().encode(
  '\uFEFFdata: first é\n\nid: 7\nevent: message\r\ndata: 😀\ndata: two\n\n: nothing\nretry: 250\n\ndata:\n\ndata: cut',
);

const readAll = async (reader: { read(): Promise<{ done: boolean; value?: Event | undefined }> }) => {
  const events: unknown[] = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) events.push(part.value);
  return events;
};

test('events are those of the streams that stand there otherwise, however the bytes come', async () => {
  for (let size = 1; size < 20; size++) {
    const [retries, others]: [number[], number[]] = [[], []];
    const onRetry = (ms: number): void => void retries.push(ms);
    const events = await readAll(createPlainEvents(createParser, toBody(text, size), { onRetry }));
    const piped = toBody(text, size)
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream({ onRetry: (ms) => void others.push(ms) }));
    expect(events, `pieces of ${size}`).toEqual(await readAll(piped.getReader()));
    expect(events).toHaveLength(3);
    expect([retries, others]).toEqual([[250], [250]]);
  }
});

test('a body that fails is told to whoever reads', async () => {
  const body = createPlainBody({ next: () => Promise.reject(new Error('cut')), cancel: () => undefined });
  const events = createPlainEvents(createParser, body, { onRetry: () => undefined });
  await expect(events.read()).rejects.toThrow('cut');
});

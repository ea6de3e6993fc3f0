import { toPrintable } from '@casement/protocol/basics';
import { CasementError } from '@casement/protocol/start';
import { parseJSONRPCMessage } from '@modelcontextprotocol/client';
import { createByteStore } from '../reading/byte-store.js';
import { decodeText } from '../reading/decode-text.js';
import { createEventReader, readBigEventFields, readEventFields } from '../reading/event-reader.js';
import type { HeldTexts } from './held-payload.js';
import type { Intake } from './intake.js';
import { BIG_MESSAGE_BYTES, nextTurn, startSlice } from '../reading/turns.js';
import { readAnsweredId, type WireProblem } from './wire-problem.js';

/** The rules for reading a body. */
export interface BodyRules {
  maxMessageBytes: number;
  intake: Intake;
  held: HeldTexts;
  onProblem(problem: WireProblem): void;
  /** One message is over the limit; the rest of the body is not read. */
  onOversize(bytes: number): void;
}

type Chunks = AsyncIterable<Uint8Array>;

const encoder = new TextEncoder();

/** Reads a body as the official transport is to see it: in small pieces, each message within the limit and none of them big. */
export const readHttpBody = (
  body: Chunks,
  mediaType: string,
  rules: BodyRules,
): AsyncGenerator<Uint8Array, void, undefined> => {
  if (mediaType === 'text/event-stream') return readEventStream(body, rules);
  return mediaType === 'application/json' ? readJsonBody(body, rules) : readOther(body, rules);
};

const toTooLarge = (bytes: number, { onOversize }: BodyRules): CasementError => {
  onOversize(bytes);
  return new CasementError('result-too-large', 'The server answered more than the limit.');
};

async function* readEventStream(body: Chunks, rules: BodyRules): AsyncGenerator<Uint8Array, void, undefined> {
  const events = createEventReader({ maxBytes: rules.maxMessageBytes });
  const slice = startSlice();
  for await (const chunk of body) {
    for (const event of events.push(toBuffer(chunk))) {
      if (event.kind === 'oversize') throw toTooLarge(event.bytes, rules);
      const piece =
        event.bytes.length < BIG_MESSAGE_BYTES
          ? await passEvent(event.bytes, rules)
          : await passBigEvent(event.bytes, rules);
      if (piece !== undefined) yield piece;
      if (slice.isOver) await slice.rest();
    }
    if (slice.isOver) await slice.rest();
  }
}

const isMessage = (name: string): boolean => name === '' || name === 'message';

const passEvent = (
  frame: Buffer,
  rules: BodyRules,
): Uint8Array | undefined | Promise<Uint8Array | undefined> => {
  const { name, data } = readEventFields(frame);
  if (data === undefined || data === '' || !isMessage(name)) return frame;
  const value = parseJson(data, rules);
  if (rules.intake.holds(value)) return passBigEvent(frame, rules);
  return value !== undefined && isTaken(value, data, rules) ? frame : undefined;
};

const passBigEvent = async (frame: Buffer, rules: BodyRules): Promise<Uint8Array | undefined> => {
  await nextTurn();
  const { name, data, others } = await readBigEventFields(frame);
  if (data === undefined || !isMessage(name)) return undefined;
  await nextTurn();
  const value = parseJson(data, rules);
  await nextTurn();
  const small = value === undefined ? undefined : rules.intake.makeSmall(value, frame.length);
  if (small === undefined || !isTaken(small, data, rules)) return undefined;
  return encoder.encode([...others, `data: ${rules.held.write(small)}`, '', ''].join('\n'));
};

/** The whole body is one message, or a batch of the revision that had them. */
async function* readJsonBody(body: Chunks, rules: BodyRules): AsyncGenerator<Uint8Array, void, undefined> {
  const store = createByteStore();
  for await (const chunk of body) {
    store.add(chunk);
    if (store.length > rules.maxMessageBytes) throw toTooLarge(store.length, rules);
  }
  const bytes = store.take();
  if (bytes.length < BIG_MESSAGE_BYTES) {
    const read = readSmall(bytes);
    if (!rules.intake.holds(read)) {
      yield isLongBatch(read) ? refuseBatch(bytes, rules) : bytes;
      return;
    }
  }
  await nextTurn();
  const text = await decodeText(bytes);
  await nextTurn();
  const value = parseJson(text, rules);
  await nextTurn();
  if (Array.isArray(value)) {
    yield refuseBatch(bytes, rules);
    return;
  }
  const small = value === undefined ? undefined : rules.intake.makeSmall(value, bytes.length);
  yield encoder.encode(small === undefined ? 'null' : rules.held.write(small));
}

/** We send no batches, so none answers us; a few messages in a list are let pass. */
const MAX_BATCH = 20;

const isLongBatch = (value: unknown): boolean => Array.isArray(value) && value.length > MAX_BATCH;

const readSmall = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    // The transport refuses it by name.
    return undefined;
  }
};

/** The transport would hand on every message of it at once, and past the intake. */
const refuseBatch = (bytes: Buffer, { onProblem }: BodyRules): Uint8Array => {
  const text = toPrintable(bytes.toString('utf8', 0, 4000), 500, { mode: 'replace' });
  onProblem({ kind: 'malformed', text });
  return encoder.encode('null');
};

/** An error's page: read for its first words, if at all. */
async function* readOther(body: Chunks, rules: BodyRules): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > rules.maxMessageBytes) throw toTooLarge(bytes, rules);
    yield chunk;
  }
}

const toBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

const parseJson = (text: string, { intake, onProblem }: BodyRules): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    if (intake.admitsNoise())
      onProblem({ kind: 'noise', text: toPrintable(text.slice(0, 4000), 500, { mode: 'replace' }) });
    return undefined;
  }
};

const isTaken = (value: unknown, text: string, { intake, onProblem }: BodyRules): boolean => {
  if (!intake.admits(value)) return false;
  try {
    parseJSONRPCMessage(value);
    return true;
  } catch {
    const evidence = toPrintable(text.slice(0, 4000), 500, { mode: 'replace' });
    onProblem({ kind: 'malformed', text: evidence, id: readAnsweredId(value) });
    return false;
  }
};

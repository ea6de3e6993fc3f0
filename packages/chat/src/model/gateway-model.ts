import { errorCodes } from '@casement/protocol/basics';
import { CasementError, isRecord } from '@casement/protocol/start';
import type { ErrorCode } from '@casement/protocol';
import type { ChatModel, ModelEvent, ModelRequest } from './model.js';

/** Where a gateway is, and which of its models to talk to. */
export interface GatewayModelOptions {
  /** The gateway's origin. */
  readonly url: string;
  readonly token: string;
  /** The id under which the gateway lists the model. */
  readonly model: string;
  /** What people read; the id unless said. */
  readonly name?: string;
}

const isErrorCode = (value: unknown): value is ErrorCode =>
  // The list is a tuple of literals; membership is what is being asked.
  (errorCodes as readonly unknown[]).includes(value);

const toError = (error: unknown, otherwise: string): CasementError => {
  const { code, message, hint } = isRecord(error) ? error : {};
  return new CasementError(
    isErrorCode(code) ? code : 'internal',
    typeof message === 'string' ? message : otherwise,
    typeof hint === 'string' ? { hint } : {},
  );
};

/** A gateway ends each answer with a word about how it ended, also when the provider broke off: without it, it was lost. */
const toLost = (cause?: unknown): CasementError =>
  new CasementError('gateway-lost', 'The gateway was lost in the middle of the answer.', {
    hint: 'See whether the casement command is still running, then try again.',
    cause,
  });

const finishReasons: readonly unknown[] = ['stop', 'tool-calls', 'length', 'other'];

const isModelEvent = (value: Readonly<Record<string, unknown>>): boolean => {
  const isText = (...names: string[]): boolean => names.every((name) => typeof value[name] === 'string');
  switch (value['type']) {
    case 'text':
      return isText('delta');
    case 'tool-input-start':
      return isText('id', 'name');
    case 'tool-input-delta':
      return isText('id', 'delta');
    case 'tool-call':
      return isText('id', 'name', 'text');
    default:
      return value['type'] === 'finish' && finishReasons.includes(value['reason']);
  }
};

const parseLine = (line: string): ModelEvent => {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // Said below, as for any other line that is no event.
  }
  if (isRecord(value)) {
    if (value['type'] === 'error') throw toError(value, 'The gateway named no reason.');
    // Its members were looked at one by one.
    if (isModelEvent(value)) return value as ModelEvent;
  }
  throw new CasementError('model-failed', 'The gateway sent a line that is no event of a model.');
};

/** Cuts a body into its lines, wherever the pieces it comes in begin and end; a last line that was not ended is none. */
async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  // The pieces of a line that has not ended: joined once, however many they are.
  let begun: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw toLost(cause);
      });
      if (done) return;
      const [first = '', ...others] = decoder.decode(value, { stream: true }).split('\n');
      begun.push(first);
      const last = others.pop();
      if (last === undefined) continue;
      const lines = [begun.join(''), ...others];
      begun = [last];
      yield* lines.filter((line) => line.trim() !== '');
    }
  } finally {
    // Whoever stops listening also stops the model.
    await reader.cancel().catch(() => undefined);
  }
}

/** A model that the gateway speaks to; keys stay there. */
export const createGatewayModel = ({ url, token, model, name = model }: GatewayModelOptions): ChatModel => {
  const ask = async (request: ModelRequest, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> => {
    const response = await fetch(`${url.replace(/(?<!\/)\/+$/, '')}/api/chat`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ model, request }),
      signal,
    }).catch((cause: unknown) => {
      throw new CasementError('server-unreachable', 'The gateway cannot be reached.', {
        hint: 'See whether the casement command is still running.',
        cause,
      });
    });
    if (response.ok && response.body !== null) return response.body;
    const body: unknown = await response.json().catch(() => undefined);
    throw toError(isRecord(body) ? body['error'] : undefined, `The gateway answered ${response.status}.`);
  };

  return {
    name,
    async *stream(request, { signal }) {
      try {
        for await (const line of readLines(await ask(request, signal))) {
          if (signal.aborted) return;
          const event = parseLine(line);
          yield event;
          if (event.type === 'finish') return;
        }
      } catch (error) {
        if (signal.aborted) return;
        throw error;
      }
      if (!signal.aborted) throw toLost();
    },
  };
};

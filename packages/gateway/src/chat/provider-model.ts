import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { CasementError } from '@casement/protocol/start';
import type { LanguageModel } from 'ai';
import { chooseFetch } from '../proxy/choose-fetch.js';
import { createEventReader } from '../reading/event-reader.js';
import { createPieceStream } from '../reading/piece-stream.js';
import { startSlice } from '../reading/turns.js';
import { toModelBase, type ModelConfig } from './model-config.js';

/** One event of a provider; a whole answer is at most as long. */
const MAX_EVENT_BYTES = 32 * 1024 * 1024;

/**
 * Gives an answer event by event and only as fast as each is handled: a provider that sends thousands of events at
 * once does not hold the gateway. Other answers pass as they are.
 */
const createSlicedResponse = (response: Response, signal?: AbortSignal | null): Response => {
  const { body, status, statusText, headers } = response;
  const isStream = headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') ?? false;
  if (body === null || !isStream) return response;
  const sliced = createPieceStream(body, readSliced, { signal });
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

/** Redirects are not followed: fetch would carry Anthropic's key header to wherever one points. */
const createPlainFetch = (baseURL: string): typeof fetch => {
  const fetchBy = chooseFetch(baseURL);
  return async (input, init) => {
    const address = input instanceof Request ? input.url : input;
    return createSlicedResponse(await fetchBy(address, { ...init, redirect: 'error' }), init?.signal);
  };
};

/** Creates the SDK's model for a configuration: it asks the provider when a step is run. */
export const createProviderModel = (config: ModelConfig): LanguageModel => {
  const { kind, model, apiKey } = config;
  const baseURL = toModelBase(config);
  if (kind === 'anthropic') {
    return createAnthropic({
      baseURL,
      fetch: createPlainFetch(baseURL),
      ...(apiKey !== undefined && { apiKey }),
    })(model);
  }
  const isOpenAi = new URL(baseURL).hostname === 'api.openai.com';
  return createOpenAICompatible({
    name: 'openai-compatible',
    baseURL,
    fetch: createPlainFetch(baseURL),
    ...(apiKey !== undefined && { apiKey }),
    // OpenAI's own newer models take the limit only under its newer name, other servers only under the old one.
    ...(isOpenAi && {
      transformRequestBody: ({ max_tokens: limit, ...body }) =>
        limit === undefined ? body : { ...body, max_completion_tokens: limit as number },
    }),
  })(model);
};

import type { CreateMessageParams } from '../messages/app-messages.js';
import { contentBlockSchema, type ContentBlock } from '../messages/content-schemas.js';
import { validate } from '../messages/parse-values.js';
import { isRecord } from '../is-record.js';
import { toKnownBlock } from './known-content.js';
import { toModelText } from './model-content.js';
import { toReadableJson } from './readable-json.js';

type SamplingBlock = Record<string, unknown>;

/**
 * Reads a block as one of the ordinary content types; undefined for any other type. Keys that are never shown are
 * removed first: a mistake in one of them must not make the block an unknown type, because unknown blocks are passed on
 * with all their keys.
 */
const readBlock = (block: SamplingBlock): ContentBlock | undefined => {
  const { resource } = block;
  const shown = { ...toShown(block), ...(isRecord(resource) ? { resource: toShown(resource) } : {}) };
  const read = validate(contentBlockSchema, shown);
  return read.ok ? toKnownBlock(read.value) : undefined;
};

const unshown: ReadonlySet<string> = new Set(['annotations', '_meta', 'icons', 'size']);

const toShown = (block: SamplingBlock): SamplingBlock =>
  Object.fromEntries(Object.entries(block).filter(([key]) => !unshown.has(key)));

/** The content of one message of a question to a model, block by block. */
export const toSamplingBlocks = (
  content: CreateMessageParams['messages'][number]['content'],
): readonly (ContentBlock | SamplingBlock)[] =>
  (Array.isArray(content) ? content : [content]).map((block) => readBlock(block) ?? block);

/** A block as text; a block that is no ordinary content, such as a tool use, as its JSON. */
export const toSamplingText = (block: ContentBlock | SamplingBlock): string => {
  const known = readBlock(block);
  return known ? toModelText(known) : toReadableJson(block);
};

/**
 * What of an app's question may reach a model: messages, system text and the settings a model has, each rebuilt from the
 * keys it has. `includeContext` is not among it, the conversation is none of an app's business.
 */
export const toKnownSampling = (params: CreateMessageParams): CreateMessageParams => {
  const { messages, systemPrompt, maxTokens } = params;
  return {
    messages: messages.map(({ role, content }) => {
      const blocks = toSamplingBlocks(content);
      const [first = {}] = blocks;
      return { role, content: Array.isArray(content) ? [...blocks] : first };
    }),
    maxTokens,
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...readSamplingSettings(params),
  };
};

/** Reads the settings that go along with a question to a model; what is not of the expected kind is left out. */
export const readSamplingSettings = (params: CreateMessageParams): SamplingSettings => {
  // The schema checks the outline only, so these are read as unknown.
  const { temperature, stopSequences, modelPreferences } = params as Readonly<Record<string, unknown>>;
  return {
    ...(typeof temperature === 'number' ? { temperature } : {}),
    ...(Array.isArray(stopSequences) ? { stopSequences: stopSequences.filter(isText) } : {}),
    ...(isRecord(modelPreferences) ? { modelPreferences: toPreferences(modelPreferences) } : {}),
  };
};

/** The settings of a question to a model; each is shown with it. */
export interface SamplingSettings {
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly modelPreferences?: Readonly<Record<string, unknown>>;
}

const priorities = ['costPriority', 'speedPriority', 'intelligencePriority'] as const;

const toPreferences = (given: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
  ...(Array.isArray(given.hints)
    ? {
        hints: given.hints.flatMap((hint) =>
          isRecord(hint) && isText(hint.name) ? [{ name: hint.name }] : [],
        ),
      }
    : {}),
  ...Object.fromEntries(
    priorities.flatMap((key) => (typeof given[key] === 'number' ? [[key, given[key]]] : [])),
  ),
});

const isText = (value: unknown): value is string => typeof value === 'string';

import { appCapabilitiesSchema, hostCapabilitiesSchema, implementationSchema } from './capabilities.js';
import {
  contentBlockSchema,
  embeddedResourceSchema,
  resourceLinkSchema,
  type ContentBlock,
} from './content-schemas.js';
import { displayModeSchema, hostContextSchema } from './host-context.js';
import {
  anyRecord,
  array,
  boolean,
  either,
  finiteNumber,
  list,
  oneOf,
  openObject,
  orElse,
  text,
  to,
  unknown,
  type Infer,
  type Schema,
} from './schema.js';

/** First request of an app; any version string is read, the answer names ours. */
export const initializeParamsSchema = openObject({
  appInfo: implementationSchema,
  appCapabilities: appCapabilitiesSchema,
  protocolVersion: text,
});

/** All four are required: an official app refuses to connect otherwise (HOST-040). */
export const initializeResultSchema = openObject({
  protocolVersion: text,
  hostInfo: implementationSchema,
  hostCapabilities: hostCapabilitiesSchema,
  hostContext: hostContextSchema,
});

const blocks = list(contentBlockSchema);
const oneOrMoreBlocks: Schema<ContentBlock[]> = (value, path) =>
  Array.isArray(value) ? blocks(value, path) : [contentBlockSchema(value, path)];

/** A message for the conversation; the text shows one block, every SDK sends an array: both are read. */
export const messageParamsSchema = openObject({
  role: orElse(oneOf('user'), () => 'user' as const),
  content: oneOrMoreBlocks,
});

/** What the model should know of the app; replaces what the app said before. */
export const updateModelContextParamsSchema = openObject(
  {},
  { content: blocks, structuredContent: anyRecord },
);

/** Files an app wants to hand to the person. */
export const downloadFileParamsSchema = openObject({
  contents: list(either('Object', embeddedResourceSchema, resourceLinkSchema)),
});

/** The mode that an app asks for in ui/request-display-mode, and the mode in the answer. */
export const displayModeParamsSchema = openObject({ mode: displayModeSchema });

/** Success, or a "no" of the person where the host says it this way. */
export const acknowledgedSchema = openObject({}, { isError: boolean });

/** What the app measured; finite numbers, clamped by the host. */
export const sizeChangedParamsSchema = openObject({}, { width: finiteNumber, height: finiteNumber });

const readLogLevel = oneOf(
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
  'warn',
);

/** A log line of the app; `warn` is read as `warning`, and nothing said as null. */
export const logParamsSchema = openObject(
  {
    level: to(readLogLevel, (level) => (level === 'warn' ? 'warning' : level)),
    data: orElse(unknown, () => null),
  },
  { logger: text },
);

const turn = {
  role: oneOf('user', 'assistant'),
  content: either('(unknown | Array)', anyRecord, array(anyRecord)),
};

/** A request for a model's answer (draft); only the outline is checked, the rest is core MCP. */
export const createMessageParamsSchema = openObject(
  { messages: list(openObject(turn)), maxTokens: finiteNumber },
  { systemPrompt: text },
);
export type CreateMessageParams = Infer<typeof createMessageParamsSchema>;

/** The model's answer (draft). */
export const createMessageResultSchema = openObject({ model: text, ...turn }, { stopReason: text });

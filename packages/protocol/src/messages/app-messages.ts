import * as v from 'valibot';
import { appCapabilitiesSchema, hostCapabilitiesSchema, implementationSchema } from './capabilities.js';
import { contentBlockSchema, embeddedResourceSchema, resourceLinkSchema } from './content-schemas.js';
import { displayModeSchema, hostContextSchema } from './host-context.js';
import { anyRecord, finiteNumber, list, openObject, optional } from './open-object.js';

/** First request of an app; any version string is read, the answer names ours. */
export const initializeParamsSchema = openObject({
  appInfo: implementationSchema,
  appCapabilities: appCapabilitiesSchema,
  protocolVersion: v.string(),
});

/** All four are required: an official app refuses to connect otherwise (HOST-040). */
export const initializeResultSchema = openObject({
  protocolVersion: v.string(),
  hostInfo: implementationSchema,
  hostCapabilities: hostCapabilitiesSchema,
  hostContext: hostContextSchema,
});

const blocks = list(contentBlockSchema);
const oneBlock = v.pipe(
  contentBlockSchema,
  v.transform((block) => [block]),
);

/** A message for the conversation; the text shows one block, every SDK sends an array: both are read. */
export const messageParamsSchema = openObject({
  role: v.optional(v.literal('user'), 'user'),
  content: v.lazy((content): typeof blocks | typeof oneBlock => (Array.isArray(content) ? blocks : oneBlock)),
});

/** What the model should know of the app; replaces what the app said before. */
export const updateModelContextParamsSchema = openObject({
  content: optional(blocks),
  structuredContent: optional(anyRecord),
});

/** Files an app wants to hand to the person. */
export const downloadFileParamsSchema = openObject({
  contents: list(v.union([embeddedResourceSchema, resourceLinkSchema])),
});

/** The mode that an app asks for in ui/request-display-mode, and the mode in the answer. */
export const displayModeParamsSchema = openObject({ mode: displayModeSchema });

/** Success, or a "no" of the person where the host says it this way. */
export const acknowledgedSchema = openObject({ isError: optional(v.boolean()) });

const size = optional(finiteNumber);

/** What the app measured; finite numbers, clamped by the host. */
export const sizeChangedParamsSchema = openObject({ width: size, height: size });

/** The core logging levels. */
const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
const logLevelSchema = v.union([
  v.picklist(logLevels),
  v.pipe(
    v.literal('warn'),
    v.transform(() => 'warning' as const),
  ),
]);

/** A log line of the app; `warn` is read as `warning`, and nothing said as null. */
export const logParamsSchema = openObject({
  level: logLevelSchema,
  logger: optional(v.string()),
  data: v.optional(v.unknown(), null),
});

/** A request for a model's answer (draft); only the outline is checked, the rest is core MCP. */
export const createMessageParamsSchema = openObject({
  messages: list(
    openObject({
      role: v.picklist(['user', 'assistant']),
      content: v.union([anyRecord, v.array(anyRecord)]),
    }),
  ),
  maxTokens: finiteNumber,
  systemPrompt: optional(v.string()),
});
export type CreateMessageParams = v.InferOutput<typeof createMessageParamsSchema>;

/** The model's answer (draft). */
export const createMessageResultSchema = openObject({
  model: v.string(),
  role: v.picklist(['user', 'assistant']),
  content: v.union([anyRecord, v.array(anyRecord)]),
  stopReason: optional(v.string()),
});

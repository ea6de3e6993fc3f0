import * as v from 'valibot';
import { contentBlockSchema, iconSchema } from './content-schemas.js';
import { isRecord } from '../is-record.js';
import { anyRecord, finiteNumber, idOrToken, list, openObject, optional } from './open-object.js';

const jsonObjectSchema = openObject({
  type: v.literal('object'),
  properties: optional(anyRecord),
  required: optional(list(v.string())),
});
const claim = optional(v.boolean());

/** A tool as tools/list describes it; an official app refuses one without inputSchema. */
export const toolSchema = openObject({
  name: v.string(),
  title: optional(v.string()),
  description: optional(v.string()),
  inputSchema: jsonObjectSchema,
  outputSchema: optional(anyRecord),
  annotations: optional(
    openObject({
      title: optional(v.string()),
      readOnlyHint: claim,
      destructiveHint: claim,
      idempotentHint: claim,
      openWorldHint: claim,
    }),
  ),
  icons: optional(list(iconSchema)),
  execution: optional(
    openObject({ taskSupport: optional(v.picklist(['required', 'optional', 'forbidden'])) }),
  ),
  _meta: optional(anyRecord),
});
export type Tool = v.InferOutput<typeof toolSchema>;

/** An object at run time, as apps refuse the rest; any value in the type, as core MCP says since 2026-07-28. */
const structuredContent = v.custom<unknown>(isRecord, 'Expected an object');

/** Servers may have a lot to say in one result. */
const MAX_RESULT_BLOCKS = 10_000;

/** What a tool returned; `isError` results are results too. */
export const callToolResultSchema = openObject({
  content: v.optional(list(contentBlockSchema, MAX_RESULT_BLOCKS), () => []),
  structuredContent: optional(structuredContent),
  isError: optional(v.boolean()),
  _meta: optional(anyRecord),
});
export type CallToolResult = v.InferOutput<typeof callToolResultSchema>;

/** Work that goes on after the request that began it was answered, as core MCP 2025-11-25 tells of it. */
export const taskSchema = openObject({
  taskId: v.pipe(v.string(), v.minLength(1), v.maxLength(1024)),
  status: v.picklist(['working', 'input_required', 'completed', 'failed', 'cancelled']),
  statusMessage: optional(v.string()),
  pollInterval: optional(finiteNumber),
});
export type Task = v.InferOutput<typeof taskSchema>;

/** A call to a tool, in either direction; `task` asks for a task instead of the outcome. */
export const callToolParamsSchema = openObject({
  name: v.string(),
  arguments: optional(anyRecord),
  task: optional(openObject({ ttl: optional(finiteNumber) })),
  _meta: optional(openObject({ progressToken: optional(idOrToken) })),
});

/** One page of tools. */
export const listToolsResultSchema = openObject({
  tools: list(toolSchema),
  nextCursor: optional(v.string()),
  _meta: optional(anyRecord),
});

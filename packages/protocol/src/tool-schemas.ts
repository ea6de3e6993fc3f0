import * as v from 'valibot';
import { contentBlockSchema } from './content-schemas.js';
import { anyRecord, openObject, optional } from './open-object.js';

const jsonObjectSchema = openObject({
  type: v.literal('object'),
  properties: optional(anyRecord),
  required: optional(v.array(v.string())),
});

/** A tool as tools/list describes it; an official app refuses one without inputSchema. */
export const toolSchema = openObject({
  name: v.string(),
  title: optional(v.string()),
  description: optional(v.string()),
  inputSchema: jsonObjectSchema,
  outputSchema: optional(anyRecord),
  annotations: optional(anyRecord),
  icons: optional(v.array(anyRecord)),
  _meta: optional(anyRecord),
});
export type Tool = v.InferOutput<typeof toolSchema>;

/** What a tool returned; `isError` results are results too. */
export const callToolResultSchema = openObject({
  content: v.optional(v.array(contentBlockSchema), () => []),
  structuredContent: optional(anyRecord),
  isError: optional(v.boolean()),
  _meta: optional(anyRecord),
});
export type CallToolResult = v.InferOutput<typeof callToolResultSchema>;

/** A call to a tool, in either direction. */
export const callToolParamsSchema = openObject({
  name: v.string(),
  arguments: optional(anyRecord),
  _meta: optional(openObject({ progressToken: optional(v.union([v.string(), v.number()])) })),
});
export type CallToolParams = v.InferOutput<typeof callToolParamsSchema>;

/** One page of tools. */
export const listToolsResultSchema = openObject({
  tools: v.array(toolSchema),
  nextCursor: optional(v.string()),
  _meta: optional(anyRecord),
});
export type ListToolsResult = v.InferOutput<typeof listToolsResultSchema>;

import { contentBlockSchema, iconSchema } from './content-schemas.js';
import { isRecord } from '../is-record.js';
import {
  anyRecord,
  boolean,
  check,
  finiteNumber,
  idOrToken,
  list,
  oneOf,
  openObject,
  orElse,
  shortText,
  text,
  type Infer,
} from './schema.js';

const jsonObjectSchema = openObject(
  { type: oneOf('object') },
  { properties: anyRecord, required: list(text) },
);

/** A tool as tools/list describes it; an official app refuses one without inputSchema. */
export const toolSchema = openObject(
  { name: text, inputSchema: jsonObjectSchema },
  {
    title: text,
    description: text,
    outputSchema: anyRecord,
    annotations: openObject(
      {},
      {
        title: text,
        readOnlyHint: boolean,
        destructiveHint: boolean,
        idempotentHint: boolean,
        openWorldHint: boolean,
      },
    ),
    icons: list(iconSchema),
    execution: openObject({}, { taskSupport: oneOf('required', 'optional', 'forbidden') }),
    _meta: anyRecord,
  },
);
export type Tool = Infer<typeof toolSchema>;

/** An object at run time, as apps refuse the rest; any value in the type, as core MCP says since 2026-07-28. */
const structuredContent = check<unknown>(isRecord, 'an object');

/** Servers may have a lot to say in one result. */
const MAX_RESULT_BLOCKS = 10_000;

/** What a tool returned; `isError` results are results too. */
export const callToolResultSchema = openObject(
  { content: orElse(list(contentBlockSchema, MAX_RESULT_BLOCKS), () => []) },
  { structuredContent, isError: boolean, _meta: anyRecord },
);
export type CallToolResult = Infer<typeof callToolResultSchema>;

/** Work that goes on after the request that began it was answered, as core MCP 2025-11-25 tells of it. */
export const taskSchema = openObject(
  {
    taskId: shortText(1024),
    status: oneOf('working', 'input_required', 'completed', 'failed', 'cancelled'),
  },
  { statusMessage: text, pollInterval: finiteNumber },
);
export type Task = Infer<typeof taskSchema>;

/** A call to a tool, in either direction; `task` asks for a task instead of the outcome. */
export const callToolParamsSchema = openObject(
  { name: text },
  {
    arguments: anyRecord,
    task: openObject({}, { ttl: finiteNumber }),
    _meta: openObject({}, { progressToken: idOrToken }),
  },
);

/** One page of tools. */
export const listToolsResultSchema = openObject(
  { tools: list(toolSchema) },
  { nextCursor: text, _meta: anyRecord },
);

import {
  contentBlockSchema,
  promptSchema,
  readResourceResultSchema,
  resourceListingSchema,
  resourceTemplateSchema,
  type ContentBlock,
} from './content-schemas.js';
import { CasementError } from '../errors.js';
import { hostContextSchema } from './host-context.js';
import { isRecord } from '../is-record.js';
import type { Schema } from './schema.js';
import { callToolResultSchema, taskSchema, toolSchema, type Task } from './tool-schemas.js';

/** Validates a value against a schema; the failure names the first place that does not fit. */
export const validate = <T>(
  schema: Schema<T>,
  value: unknown,
): { ok: true; value: T } | { ok: false; reason: string } => {
  try {
    return { ok: true, value: schema(value) };
  } catch (error) {
    // Anything else comes from a getter or proxy inside the value.
    const reason = error instanceof CasementError ? error.message : 'the value could not be read';
    return { ok: false, reason };
  }
};

const parseWith = <T>(
  schema: Schema<T>,
  value: unknown,
  code: 'server-garbage' | 'invalid-params',
  what: string,
): T => {
  const result = validate(schema, value);
  if (result.ok) return result.value;
  throw new CasementError(code, `${what} is not valid: ${result.reason}.`);
};

/** Reads one tool of a server's list. */
export const parseTool = (value: unknown) => parseWith(toolSchema, value, 'server-garbage', 'The tool');

/** Reads what a server answered to tools/call; structured content that is no object is left out, as apps refuse it. */
export const parseCallToolResult = (value: unknown) => {
  return parseWith(callToolResultSchema, withoutOddContent(value), 'server-garbage', 'The tool result');
};

const withoutOddContent = (value: unknown): unknown => {
  if (!isRecord(value) || !('structuredContent' in value) || isRecord(value['structuredContent']))
    return value;
  const readable = { ...value };
  delete readable['structuredContent'];
  return readable;
};

/** Reads how far a task of a server is. */
export const parseTask = (value: unknown) => parseWith(taskSchema, value, 'server-garbage', 'The task');

/** The task that was begun instead of an outcome, if that is what a result tells of. */
export const readTask = (result: unknown): Task | undefined => {
  const task = isRecord(result) ? validate(taskSchema, result['task']) : undefined;
  return task?.ok ? task.value : undefined;
};

/** Reads what a server answered to resources/read. */
export const parseReadResourceResult = (value: unknown) =>
  parseWith(readResourceResultSchema, value, 'server-garbage', 'The resource');

/** Reads one entry of a server's resource list. */
export const parseResourceListing = (value: unknown) =>
  parseWith(resourceListingSchema, value, 'server-garbage', 'The resource listing');

/** Reads one entry of a server's list of resource templates. */
export const parseResourceTemplate = (value: unknown) =>
  parseWith(resourceTemplateSchema, value, 'server-garbage', 'The resource template');

/** Reads one entry of a server's prompt list. */
export const parsePrompt = (value: unknown) => parseWith(promptSchema, value, 'server-garbage', 'The prompt');

/** Reads a host context as strictly as an official app will. */
export const parseHostContext = (value: unknown) =>
  parseWith(hostContextSchema, value, 'invalid-params', 'The host context');

/** Whether a value is a content block of one of the known types. */
export const isContentBlock = (value: unknown): value is ContentBlock =>
  validate(contentBlockSchema, value).ok;

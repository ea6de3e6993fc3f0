import { isRecord } from '@casement/protocol/start';
import { EXT_APPS_ERROR_CODES, ExtAppsError, ExtAppsToolNotFoundError } from './ext-apps-errors.js';

/** Whether a text says that there is no such tool: official servers 2.x throw it, 1.x put it into a result. */
const saysUnknown = (text: string, name: string): boolean =>
  text.replace(/^MCP error -3260[12]: /, '') === `Tool ${name} not found`;

/** The error for a tool that threw: an app learns which tool, never the inner words. */
export const toToolError = (error: unknown, name: string): ExtAppsError => {
  if (error instanceof ExtAppsError) return error;
  if (error instanceof Error && saysUnknown(error.message, name)) return toUnknownTool(name, error);
  return new ExtAppsError(
    `The tool "${name.slice(0, 200)}" failed.`,
    EXT_APPS_ERROR_CODES.TOOL_EXECUTION_FAILED,
    {
      cause: error,
    },
  );
};

/** Passes a result on, unless all it says is that there is no such tool. */
export const checkToolResult = (result: unknown, name: string): unknown => {
  if (!isRecord(result) || result['isError'] !== true || !Array.isArray(result['content'])) return result;
  const [first]: readonly unknown[] = result['content'];
  const text = isRecord(first) ? first['text'] : undefined;
  if (typeof text === 'string' && saysUnknown(text, name)) throw toUnknownTool(name);
  return result;
};

/** The result of `tools/call`; a bare value becomes text and, if it is an object, structured content. */
export const toCallToolResult = (result: unknown): unknown => {
  if (isRecord(result) && Array.isArray(result['content'])) return result;
  return {
    content: [{ type: 'text', text: typeof result === 'string' ? result : (JSON.stringify(result) ?? '') }],
    ...(isRecord(result) && { structuredContent: result }),
  };
};

const toUnknownTool = (name: string, cause?: unknown): ExtAppsToolNotFoundError =>
  new ExtAppsToolNotFoundError(`There is no tool called "${name.slice(0, 200)}".`, { cause });

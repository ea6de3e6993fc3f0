import { readOwn } from '../is-record.js';
import { validate } from '../parse-values.js';
import { toolSchema, type Tool } from '../tool-schemas.js';

/** The tools an app pushed to the host one by one; S3 defines no way to call them. */
export interface AnnouncedTools {
  /** Takes `ui/registerTool` or `ui/unregisterTool`; a string says why not. */
  take(name: string, params: Record<string, unknown>): string | undefined;
  list(): readonly Tool[];
}

/** The limit the draft suggests for tools of one app. */
const maxTools = 50;

/** An empty list. */
export const createAnnouncedTools = (): AnnouncedTools => {
  const tools = new Map<string, Tool>();
  return {
    take(name, params) {
      if (name === 'ui/unregisterTool') {
        const known = readOwn(params, 'name');
        return typeof known === 'string' && tools.delete(known) ? undefined : 'No such tool is registered.';
      }
      const tool = validate(toolSchema, {
        ...params,
        inputSchema: readOwn(params, 'inputSchema') ?? { type: 'object' },
      });
      if (!tool.ok) return `The tool is not valid: ${tool.reason}`;
      if (!tools.has(tool.value.name) && tools.size >= maxTools)
        return `An app has at most ${maxTools} tools.`;
      tools.set(tool.value.name, tool.value);
      return undefined;
    },
    list: () => [...tools.values()],
  };
};

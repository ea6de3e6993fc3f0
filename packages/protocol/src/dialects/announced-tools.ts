import { readOwn } from '../is-record.js';
import { validate } from '../messages/parse-values.js';
import { toolSchema, type Tool } from '../messages/tool-schemas.js';

/** The tools an app pushed to the host one by one; FrontMCP defines no way to call them. */
export interface AnnouncedTools {
  /** Takes `ui/registerTool` or `ui/unregisterTool`; a string says why not. */
  take(name: string, params: Record<string, unknown>): string | undefined;
  list(): readonly Tool[];
}

/** The limit the draft suggests for tools of one app. */
const maxTools = 50;
/** All of them together, as JSON: each is compared, shown and offered again whenever one changes. */
const maxLength = 256 * 1024;

/** Creates the list of tools that an app announced in an older dialect; it is empty at first. */
export const createAnnouncedTools = (): AnnouncedTools => {
  const tools = new Map<string, { readonly tool: Tool; readonly length: number }>();
  let used = 0;
  const forget = (name: string): boolean => {
    used -= tools.get(name)?.length ?? 0;
    return tools.delete(name);
  };
  return {
    take(name, params) {
      if (name === 'ui/unregisterTool') {
        const known = readOwn(params, 'name');
        return typeof known === 'string' && forget(known) ? undefined : 'No such tool is registered.';
      }
      const tool = validate(toolSchema, {
        ...params,
        inputSchema: readOwn(params, 'inputSchema') ?? { type: 'object' },
      });
      if (!tool.ok) return `The tool is not valid: ${tool.reason}`;
      if (!tools.has(tool.value.name) && tools.size >= maxTools)
        return `An app has at most ${maxTools} tools.`;
      const length = JSON.stringify(tool.value).length;
      const others = used - (tools.get(tool.value.name)?.length ?? 0);
      if (others + length > maxLength) return 'The tools of an app are described in at most 256 KB.';
      tools.set(tool.value.name, { tool: tool.value, length });
      used = others + length;
      return undefined;
    },
    list: () => [...tools.values()].map(({ tool }) => tool),
  };
};

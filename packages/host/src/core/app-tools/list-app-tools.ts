import type { Tool } from '@casement/protocol';
import { cleanTexts } from './clean-texts.js';
import type { HandlerContext } from '../handlers/handler-context.js';
import type { SessionLimits } from '../limits.js';

const maxPages = 20;
const maxName = 128;
const maxToolLength = 64 * 1024;

/** Asks a live app for its tools, page by page, and takes the first ones it may offer (HOST-099). */
export const listAppTools = async (
  context: Pick<HandlerContext, 'request' | 'addFinding'>,
  { maxAppTools, appToolMs }: Pick<SessionLimits, 'maxAppTools' | 'appToolMs'>,
  signal: AbortSignal,
): Promise<readonly Tool[]> => {
  const byName = new Map<string, Tool>();
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const { tools, nextCursor } = await context.request('tools/list', params, {
      timeoutMs: appToolMs,
      signal,
    });
    for (const tool of tools) {
      if (byName.size >= maxAppTools && !byName.has(tool.name)) {
        context.addFinding(toFinding(`The app offers more than ${maxAppTools} tools; the rest is left out.`));
        return [...byName.values()];
      }
      const problem = findProblem(tool, byName);
      // By its own name it is called; all the rest is for a model to read.
      if (problem === undefined)
        byName.set(tool.name, { ...(await cleanTexts({ ...tool })), name: tool.name });
      else context.addFinding(toFinding(problem));
    }
    // A list that never ends, or goes in circles, is taken as far as it is known (D15).
    if (nextCursor === undefined || seen.has(nextCursor)) break;
    seen.add(nextCursor);
    cursor = nextCursor;
  }
  return [...byName.values()];
};

const findProblem = (tool: Tool, known: ReadonlyMap<string, Tool>): string | undefined => {
  if (tool.name === '' || tool.name.length > maxName) return 'A tool of the app has no name or a long one.';
  if (known.has(tool.name)) return 'Two tools of the app have the same name; the first counts.';
  if (JSON.stringify(tool).length > maxToolLength) return 'A tool of the app is described in over 64 KB.';
  return undefined;
};

const toFinding = (message: string) => ({
  code: 'app-tool-invalid',
  message,
  fix: 'Offer few tools with short, different names and descriptions.',
  path: 'tools/list',
});

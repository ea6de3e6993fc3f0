import type { RequestHandlers } from '@casement/protocol';
import { isToolVisibleTo } from '@casement/protocol';
import type { HandlerContext } from './handler-context.js';

/** Lists the tools of the app's server that it may call, all on one page. */
export const createToolsList =
  (context: HandlerContext): RequestHandlers['tools/list'] =>
  async () => {
    const tools = await context.tools.get();
    return { tools: [...tools.values()].filter((tool) => isToolVisibleTo(tool, 'app')) };
  };

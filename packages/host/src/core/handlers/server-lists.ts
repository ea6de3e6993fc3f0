import { CasementError, isToolCallableBy } from '../loaded/loaded.js';
import type { RequestHandlers } from '@casement/protocol';
import type { ToolList } from '../server/tool-list.js';
import type { HandlerContext } from './handler-context.js';
import type { ServerAccess } from '../server/server-access.js';

type Lists = Pick<
  RequestHandlers,
  'tools/list' | 'resources/list' | 'resources/templates/list' | 'prompts/list'
>;

/**
 * Makes the handlers of the list requests: each answers with the whole list on one page. A list that the port cannot
 * read has no handler, so the app is told that the method does not exist.
 */
export const createServerLists = (
  context: HandlerContext,
  tools: ToolList,
  serverAccess: ServerAccess,
): Lists => {
  const { server } = context.options;
  const list = <T>(
    request: AbortSignal,
    cursor: string | undefined,
    read: () => Promise<Iterable<T>>,
  ): Promise<T[]> => {
    // No list of ours has a second page, so there is no cursor to come back with.
    if (cursor !== undefined) throw new CasementError('invalid-params', 'Invalid params: unknown cursor');
    return serverAccess(request, 'server-unreachable', async () => [...(await read())]);
  };
  return {
    // HOST-079: those it may call.
    'tools/list': async ({ cursor }, { signal }) => ({
      tools: await list(signal, cursor, async () =>
        [...(await tools.get()).values()].filter((tool) => isToolCallableBy(tool, context.family())),
      ),
    }),
    'resources/list': async ({ cursor }, { signal }) => ({
      resources: await list(signal, cursor, () => server.listResources()),
    }),
    ...(server.listResourceTemplates
      ? {
          'resources/templates/list': async ({ cursor }, { signal }) => ({
            resourceTemplates: await list(
              signal,
              cursor,
              async () => (await server.listResourceTemplates?.()) ?? [],
            ),
          }),
        }
      : {}),
    ...(server.listPrompts
      ? {
          'prompts/list': async ({ cursor }, { signal }) => ({
            prompts: await list(signal, cursor, async () => (await server.listPrompts?.()) ?? []),
          }),
        }
      : {}),
  };
};

import type { ServerPort } from '@casement/host';
import type { ServerHandlers } from '@casement/host/ports';

/** A port over functions; what checks their answers is loaded with the first question. */
export const createLatePort = (name: string, identity: string, handlers: ServerHandlers): ServerPort => {
  let loading: Promise<ServerPort> | undefined;
  const port = (): Promise<ServerPort> =>
    (loading ??= import('@casement/host/ports').then(({ createServerPort }) =>
      createServerPort({ handlers, name, identity }),
    ));
  return {
    name,
    identity,
    listTools: async () => (await port()).listTools(),
    callTool: async (...call) => (await port()).callTool(...call),
    readResource: async (...read) => (await port()).readResource(...read),
    listResources: async () => (await port()).listResources(),
    subscribe: () => () => undefined,
  };
};

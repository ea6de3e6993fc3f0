import type { ServerPort } from './server-port.js';
import type { ServerHandlers } from './handlers-port.js';

/** What every function needs of `handlers-port`: it is loaded with the first request. */
type Loaded = () => Promise<ServerPort>;

/**
 * The one port over functions, for pages that show an app before they need it: what `createHandlersPort`
 * makes, loaded with the first request. Answers are parsed like those of any server, and what a function throws
 * stays with the page unless it is a named error: it may hold addresses that no app must learn.
 */
export const createFunctionPort = (
  { name, identity }: Pick<ServerPort, 'name' | 'identity'>,
  handlers: ServerHandlers,
): ServerPort => {
  let port: Promise<ServerPort> | undefined;
  const load: Loaded = () =>
    (port ??= import('./handlers-port.js').then(({ createHandlersPort }) =>
      createHandlersPort({ name, handlers }),
    ));
  return {
    name,
    identity,
    listTools: async () => (await load()).listTools(),
    callTool: async (...call) => (await load()).callTool(...call),
    readResource: async (...read) => (await load()).readResource(...read),
    listResources: async () => (await load()).listResources(),
    ...(handlers.tasks ? { tasks: createTasks(load) } : {}),
    subscribe: (listener) => handlers.subscribe?.(listener) ?? (() => undefined),
  };
};

const createTasks = (load: Loaded): NonNullable<ServerPort['tasks']> => {
  const tasks = async (): Promise<NonNullable<ServerPort['tasks']>> => {
    const { tasks: loaded } = await load();
    // The handlers had them when the port was made.
    if (!loaded) throw new TypeError('The handlers have no tasks.');
    return loaded;
  };
  return {
    get: async (...given) => (await tasks()).get(...given),
    result: async (...given) => (await tasks()).result(...given),
    cancel: async (taskId) => (await tasks()).cancel(taskId),
  };
};

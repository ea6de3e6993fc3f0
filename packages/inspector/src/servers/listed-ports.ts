import type { ServerEvent, ServerPort } from '@casement/protocol/ports';
import type { Tool } from '@casement/protocol';
import { CasementError } from '@casement/protocol/start';
import type { ListedServer } from './server-list.js';
import { isHeld } from './server-list.js';
import type { Readable } from '../store.js';
import { createStore } from '../store.js';

/** What a list of servers is read from. */
type ServersReadable = Readable<{ readonly servers: readonly ListedServer[] }>;

/** Whether both mean the same tools, or the same reason for having none. */
const isSameListing = (a: ListedServer | undefined, b: ListedServer | undefined): boolean =>
  a?.tools === b?.tools && a?.listing === b?.listing && a?.summary.status === b?.summary.status;

/** Undefined while the answer is still to come. */
const readTools = ({
  summary,
  port: { name },
  listing,
  tools,
}: ListedServer): readonly Tool[] | undefined => {
  const { status } = summary;
  if (status === 'connecting') return undefined;
  if (isHeld(summary))
    throw new CasementError('server-held', `The server "${name}" does not run.`, {
      hint:
        summary.status === 'disabled'
          ? 'Turn it on in the list of servers.'
          : 'Look at it in the list of servers and agree to it.',
    });
  if (status !== 'ready')
    throw new CasementError('server-not-ready', `The server "${name}" is not running.`, {
      hint: 'Restart it here or in the list of servers.',
    });
  if (listing === 'waiting') return undefined;
  if (listing === 'read') return tools;
  throw new CasementError('server-not-ready', `The tools of "${name}" could not be read: ${listing.problem}`);
};

const createListedPort = (port: ServerPort, servers: ServersReadable): ServerPort => {
  const find = (): ListedServer | undefined =>
    servers.getSnapshot().servers.find((server) => server.port === port);
  const onChange = (listener: () => void): (() => void) => {
    let before = find();
    return servers.subscribe(() => {
      const now = find();
      const isSame = isSameListing(before, now);
      before = now;
      if (!isSame) listener();
    });
  };
  return {
    ...port,
    listTools: () =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          try {
            const server = find();
            const tools = server ? readTools(server) : [];
            if (!tools) return;
            resolve(tools);
          } catch (error) {
            reject(error);
          }
          stop();
        };
        const stop = onChange(look);
        look();
      }),
    subscribe: (listener: (event: ServerEvent) => void) => {
      const stop = onChange(() => listener({ type: 'tools-changed' }));
      // The page itself tells of a changed list of tools, once it has read it.
      const leave = port.subscribe((event) => {
        if (event.type !== 'tools-changed') listener(event);
      });
      return () => {
        stop();
        leave();
      };
    },
  };
};

/**
 * Creates the ports that conversations use. Their tools are those that the page has read already, so that a
 * conversation asks no server a second time; it hears when they change, and of a server that comes back.
 */
export const createListedPorts = (servers: ServersReadable): Readable<readonly ServerPort[]> => {
  const known = new Map<ServerPort, ServerPort>();
  const read = (): readonly ServerPort[] =>
    servers.getSnapshot().servers.map(({ port }) => {
      const listed = known.get(port) ?? createListedPort(port, servers);
      known.set(port, listed);
      return listed;
    });
  const ports = createStore(read());
  servers.subscribe(() => {
    const next = read();
    const before = ports.getSnapshot();
    if (next.length !== before.length || next.some((port, index) => port !== before[index])) ports.set(next);
  });
  return ports;
};

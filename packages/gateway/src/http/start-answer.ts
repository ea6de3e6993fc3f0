import type { Tool } from '@casement/protocol';
import type { GatewayAddress } from './gateway-address.js';
import type { ServerSummary } from '../facts/server-summary.js';
import type { GatewayServer } from '../servers/gateway-server.js';
import type { ServerSet } from '../servers/server-set.js';

/** How long the first answer may wait for servers to list their tools; who takes longer is asked for by name. */
const MAX_WAIT_MS = 200;

/** Where the sandbox is, and which pages it serves. */
interface GatewayStatus {
  version: string;
  sandbox: { base: string; otherSiteBase: string; opaqueBase: string };
  hostOrigins: string[];
}

/** What a page begins with, so that it asks once and not for each part. */
export interface StartAnswer extends GatewayStatus {
  servers: ServerSummary[];
  /** The tools of the servers that listed them at once. */
  tools: { server: string; tools: Tool[] }[];
  /** The number of the next entry of the recording; an event stream that is opened with it misses none. */
  recorded: number;
}

/** Reads what pages begin with. */
export interface StartAnswers {
  status(): GatewayStatus;
  read(): Promise<StartAnswer>;
  /** The tools of a server; whoever asks while they are being read for a start gets that reading. */
  listTools(server: GatewayServer, signal: AbortSignal): Promise<Tool[]>;
}

/** Creates the reader of what pages begin with. */
export const createStartAnswers = ({
  version,
  address,
  servers,
  nextEntry,
}: {
  version: string;
  address: GatewayAddress;
  servers: Pick<ServerSet, 'all' | 'summaries'>;
  nextEntry(): number;
}): StartAnswers => {
  const reading = new Map<GatewayServer, Promise<Tool[]>>();

  const status = (): GatewayStatus => {
    const { sandboxBase: base, otherSiteBase, opaqueBase, hostOrigins } = address;
    return { version, sandbox: { base, otherSiteBase, opaqueBase }, hostOrigins };
  };

  const readTools = (server: GatewayServer): Promise<Tool[]> => {
    const known = reading.get(server);
    if (known) return known;
    const read = server.list('tools').finally(() => reading.delete(server));
    reading.set(server, read);
    return read;
  };

  return {
    status,
    async read() {
      const recorded = nextEntry();
      const all = servers.all();
      const tools: StartAnswer['tools'] = [];
      const reads = all
        .filter((server) => server.summary().status === 'ready')
        .map(async (server) => {
          // A server that cannot say is asked again by name, and that answer has the reason.
          const listed = await readTools(server).catch(() => undefined);
          if (listed) tools.push({ server: server.name, tools: listed });
        });
      await Promise.race([Promise.all(reads), pause(MAX_WAIT_MS)]);
      // A copy: those that come later are not part of an answer that is being written.
      const listed = [...tools];
      return { ...status(), servers: servers.summaries(), tools: listed, recorded };
    },
    listTools: (server, signal) => reading.get(server) ?? server.list('tools', { signal }),
  };
};

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });

import { randomBytes } from 'node:crypto';
import { CasementError, createRecording } from '@casement/protocol/start';
import { createAccessCodes } from './http/access-codes.js';
import { parseModels, type ModelConfig } from './chat/model-config.js';
import { createEventHub } from './http/event-hub.js';
import { toGatewayAddress } from './http/gateway-address.js';
import { createGatewayServer, type GatewayServer } from './servers/gateway-server.js';
import { readSalt, readDefaultStateDir, toServerIdentity } from './facts/server-identity.js';
import { defaultServerLimits, type ServerLimits } from './connection/server-limits.js';
import { createPageApp } from './http/api.js';
import { createSandboxApp } from './http/sandbox-app.js';
import { openPorts } from './http/open-ports.js';
import { checkServerConfigs, type ServerConfig } from './facts/server-config.js';
import type { ServerSummary } from './facts/server-summary.js';
import { createServerLabels } from './facts/server-labels.js';
import { createServerRecorder, toBacklog } from './servers/server-recorder.js';

/** The options of `startGateway`. */
export interface GatewayOptions {
  /** Port of the page; the sandbox takes the next one. 0 takes a free pair. Default 6270. */
  port?: number;
  servers: ServerConfig[];
  /** Models a conversation may use. Default: none. */
  models?: ModelConfig[];
  /** Folder with the built page. */
  pageDir: string;
  /** Folder for what outlives a launch (the identity salt). Default: the user's state folder. */
  stateDir?: string;
  version?: string;
  /** The API token; made anew for each launch unless given (at least 32 characters). */
  token?: string;
  /** Called for each link that was opened twice or too late: its owner now looks for a new one. */
  onDeadLink?: () => void;
  /** The clock that ends links, in milliseconds. Default: the system's. */
  now?: () => number;
  /** Time limit of one request to a server. Default 60 s. */
  requestTimeoutMs?: number;
  /** Largest message accepted from a server, in bytes; all of one is parsed in one go. Default 16 MiB. */
  maxMessageBytes?: number;
  /** How long a server may send far more than is kept before it is disconnected, in seconds. Default 20. */
  maxFloodSeconds?: number;
  /** Lets apps declare loopback origins. Off by default: an app could then reach local services. */
  allowLoopback?: boolean;
}

/** A gateway that listens. */
export interface RunningGateway {
  /** Address for programs, token in the fragment; for people and command lines there is `createLink`. */
  url: string;
  /** An address that opens the page once, within this time; it does not hold the token. */
  createLink(lifeMs: number): string;
  token: string;
  /** Origin of the trusted proxy page. */
  sandboxOrigin: string;
  servers(): ServerSummary[];
  /** Resolves once every server has connected or failed to. */
  settled(): Promise<void>;
  /** Ends servers, their children and every socket. */
  close(): Promise<void>;
}

const DEFAULT_PORT = 6270;
const TOKEN_BYTES = 32;
const MIN_TOKEN_CHARS = 32;

/** Goes on while the machine sleeps, and never goes back when the clock is set back: no code lives longer for it. */
const readClock = (): number => Math.max(Date.now(), performance.timeOrigin + performance.now());

/** Opens the ports, then starts every server; resolves when the page can be opened, rejects with nothing left behind. */
export const startGateway = async (options: GatewayOptions): Promise<RunningGateway> => {
  const { servers: configs, pageDir, version = '0.0.0', allowLoopback = false } = options;
  checkServerConfigs(configs);
  const models = parseModels(options.models ?? []);
  const token = options.token ?? randomBytes(TOKEN_BYTES).toString('base64url');
  if (token.length < MIN_TOKEN_CHARS) {
    throw new CasementError('bad-flag', 'The token is too short: give at least 32 characters.');
  }
  const codes = createAccessCodes(options.now ?? readClock, options.onDeadLink ?? (() => undefined));
  const salt = await readSalt(options.stateDir ?? readDefaultStateDir());
  const hub = createEventHub();
  const recording = createRecording({ writer: 'gateway', maxEntries: 5000, maxBytes: 16 * 1024 * 1024 });
  const limits: ServerLimits = {
    ...defaultServerLimits,
    ...(options.requestTimeoutMs !== undefined && { requestTimeoutMs: options.requestTimeoutMs }),
    ...(options.maxMessageBytes !== undefined && { maxMessageBytes: options.maxMessageBytes }),
    ...(options.maxFloodSeconds !== undefined && {
      flood: { ...defaultServerLimits.flood, maxSeconds: options.maxFloodSeconds },
    }),
  };
  const labels = createServerLabels(configs);
  const servers = new Map<string, GatewayServer>(
    configs.map((config) => [
      config.name,
      createGatewayServer(
        { config, labels, identity: toServerIdentity(config, salt), version, limits },
        createServerRecorder(config.name, recording, hub.publish),
      ),
    ]),
  );

  hub.onEnded((stream) => {
    for (const server of servers.values()) server.resources.endStream(stream);
  });

  const ports = await openPorts(options.port ?? DEFAULT_PORT, (pagePort, sandboxPort) => {
    const address = toGatewayAddress(pagePort, sandboxPort);
    const recorded = {
      next: () => recording.evicted + recording.entries().length,
      backlog: (since?: number) => toBacklog(recording, since),
    };
    const page = createPageApp({ version, token, codes, address, servers, models, hub, recorded, pageDir });
    const sandbox = createSandboxApp(address, {
      allowLoopback,
      onReport: (report) => {
        hub.publish({ type: 'csp-report', report });
      },
    });
    return { page: (request) => page.fetch(request), sandbox };
  });
  const { sandboxOrigin } = toGatewayAddress(ports.pagePort, ports.sandboxPort);

  const page = `http://localhost:${ports.pagePort}/`;
  const opened = Promise.all([...servers.values()].map((server) => server.open()));
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    hub.close();
    await Promise.all([ports.close(), ...[...servers.values()].map((server) => server.close())]);
  };
  return {
    url: `${page}#token=${token}`,
    createLink: (lifeMs) => `${page}#code=${codes.createCode(lifeMs)}`,
    token,
    sandboxOrigin,
    servers: () => [...servers.values()].map((server) => server.summary()),
    settled: async () => {
      await opened;
    },
    close: () => (closing ??= close()),
  };
};

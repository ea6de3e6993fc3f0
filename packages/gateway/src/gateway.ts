import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CasementError, createRecording } from '@casement/protocol/start';
import { createAccessCodes } from './http/access-codes.js';
import { parseModels, type ModelConfig } from './chat/model-config.js';
import { createEventHub } from './http/event-hub.js';
import { toGatewayAddress } from './http/gateway-address.js';
import { LINK_PATH } from './http/link-redirect.js';
import type { Entries } from './entries/entries.js';
import { readSalt, readDefaultStateDir } from './facts/server-identity.js';
import type { EntryProblem } from './facts/server-entry.js';
import { defaultServerLimits, type ServerLimits } from './connection/server-limits.js';
import { createPageApp } from './http/api.js';
import { createSandboxApp } from './http/sandbox-app.js';
import { openPorts } from './http/open-ports.js';
import { checkServerConfigs, type ServerConfig } from './facts/server-config.js';
import type { ServerSummary } from './facts/server-summary.js';
import { createServerSet } from './servers/server-set.js';
import { toBacklog } from './servers/server-recorder.js';
import { createSignIns } from './sign-in/sign-ins.js';
import { openStorage } from './stored.js';

/** The options of `startGateway`. */
export interface GatewayOptions {
  /** Port of the page; the sandbox takes the next one. 0 takes a free pair. Default 6270. */
  port?: number;
  /** Servers of the program's own, or that the user typed: they start without a question. */
  servers: ServerConfig[];
  /** Shown where no other server is configured. */
  fallback?: ServerConfig;
  /** A config file (`mcp.json`) whose servers are shown too. It is followed; what it says starts after the user's yes. */
  configFile?: string;
  /** Takes what the file says at the start for agreed to, for programs that have nobody to ask. */
  trustConfig?: boolean;
  /** Folder for the servers that the page adds, their secrets, what the user agreed to, and the key of stored sign-ins. Default: nothing is kept. */
  configDir?: string;
  /** The variables that `${env:…}` reads. Default: those of this process. */
  environment?: NodeJS.ProcessEnv;
  /** Called for each fault of a config file, and for what is kept and cannot be read. */
  onProblem?: (problem: EntryProblem) => void;
  /** Watches the files of every server from the start, and these paths besides. Default: not before a page asks. */
  watch?: { paths: readonly string[] };
  /** Models a conversation may use. Default: none. */
  models?: ModelConfig[];
  /** Folder with the built page. */
  pageDir: string;
  /** Folder for what outlives a launch (the identity salt). Default: the user's state folder. */
  stateDir?: string;
  /** Folder in which the program keeps its code compiled, to be listed with what is stored. */
  cacheDir?: string;
  /** How users sign in to servers. */
  signIn?: {
    /** An https address of a document that describes this client to issuers. Default: none. */
    clientMetadataUrl?: string;
    /** Keeps the key in the system's key store where there is one. Default: in a file of `configDir`. */
    usesSystemKeys?: boolean;
    /** How long a call waits for the user. Default 5 minutes. */
    waitMs?: number;
  };
  version?: string;
  /** The API token; made anew for each launch unless given (at least 32 characters). */
  token?: string;
  /** Called for each link that was opened twice or too late: its owner now looks for a new one. */
  onDeadLink?: () => void;
  /** Called when a browser that opened a link did not come to the page, and so shows an error: its next try leads there. */
  onLostLink?: () => void;
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
  /** How many pages follow its events now. */
  pages(): number;
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

/** A name that was made from a command or address gives way to one that somebody chose. */
const nameTyped = (configs: readonly ServerConfig[], chosen: readonly string[]): ServerConfig[] => {
  const taken = new Set(chosen);
  return configs.map((config) => {
    let { name } = config;
    if (config.isNameDerived)
      for (let count = 2; taken.has(name); count += 1) name = `${config.name}-${count}`;
    return { ...config, name };
  });
};

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
  const stateDir = options.stateDir ?? readDefaultStateDir();
  const salt = await readSalt(stateDir);
  const signIns = createSignIns({
    stateDir,
    configDir: options.configDir,
    usesSystemKeys: options.signIn?.usesSystemKeys ?? false,
    clientMetadataUrl: options.signIn?.clientMetadataUrl,
    waitMs: options.signIn?.waitMs,
    now: options.now ?? readClock,
  });
  await signIns.load();
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
  const { configDir, configFile, environment = process.env, onProblem = () => undefined } = options;
  const servers = createServerSet({
    salt,
    version,
    limits,
    recording,
    publish: hub.publish,
    signInOf: signIns.of,
    ...(options.watch !== undefined && { watchPaths: options.watch.paths }),
  });
  let loading: Promise<Entries> | undefined;
  // Most starts have neither a config file nor kept servers, and need nothing of this.
  const loadEntries = (): Promise<Entries> =>
    (loading ??= import('./entries/entries.js').then(({ createEntries }) =>
      createEntries({
        set: servers,
        salt,
        configDir,
        configFile,
        trustsFile: options.trustConfig ?? false,
        environment,
        publish: hub.publish,
        onProblem,
      }),
    ));
  const isKept = configDir !== undefined && existsSync(join(configDir, 'servers.json'));
  const configured = configFile !== undefined || isKept ? await loadEntries() : undefined;
  const typed = nameTyped(configs, configured?.ownNames() ?? []);
  const isAlone = typed.length === 0 && (configured?.ownNames() ?? []).length === 0;
  const standIn = options.fallback !== undefined && isAlone ? [options.fallback] : [];

  hub.onEnded((stream) => {
    for (const server of servers.all()) server.resources.endStream(stream);
  });

  const storage = openStorage({ configDir, stateDir, cacheDir: options.cacheDir });
  const stored = {
    list: storage.list,
    forget: async (what: readonly string[]) => {
      await storage.forget(what);
      await Promise.all([(await loadEntries()).refresh(), signIns.load()]);
    },
  };
  const ports = await openPorts(options.port ?? DEFAULT_PORT, (pagePort, sandboxPort) => {
    const address = toGatewayAddress(pagePort, sandboxPort);
    signIns.listen(pagePort);
    const recorded = {
      next: () => recording.evicted + recording.entries().length,
      backlog: (since?: number) => toBacklog(recording, since),
    };
    const page = createPageApp({
      version,
      token,
      codes,
      address,
      servers,
      entries: async () => {
        const entries = await loadEntries();
        entries.begin();
        return entries;
      },
      stored,
      signIns,
      models,
      hub,
      recorded,
      pageDir,
      onLostLink: options.onLostLink ?? (() => undefined),
    });
    const sandbox = createSandboxApp(address, {
      allowLoopback,
      onReport: (report) => {
        hub.publish({ type: 'csp-report', report });
      },
    });
    return { page, sandbox };
  }).catch((error: unknown) => {
    configured?.close();
    throw error;
  });
  const { sandboxOrigin } = toGatewayAddress(ports.pagePort, ports.sandboxPort);

  const origin = `http://localhost:${ports.pagePort}`;
  for (const config of [...typed, ...standIn]) servers.put({ config, source: 'typed' });
  configured?.begin();
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    hub.close();
    (await loading?.catch(() => undefined))?.close();
    await Promise.all([ports.close(), servers.close()]);
  };
  return {
    url: `${origin}/#token=${token}`,
    createLink: (lifeMs) => `${origin}${LINK_PATH}#code=${codes.createCode(lifeMs)}`,
    token,
    sandboxOrigin,
    servers: servers.summaries,
    pages: () => hub.subscribers,
    settled: servers.settled,
    close: () => (closing ??= close()),
  };
};

import type { ModelConfig } from './chat/model-config.js';
import type { ServerConfig } from './server-config.js';
import type { ServerSummary } from './server-summary.js';

/** What a gateway is started with. */
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
  /** Hears of each link that was opened twice or too late: its owner now looks for a new one. */
  onDeadLink?: () => void;
  /** What the lives of links are measured by. Default: the clock. */
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
  /** Resolves once every first connect has ended, well or badly. */
  settled(): Promise<void>;
  /** Ends servers, their children and every socket. */
  close(): Promise<void>;
}

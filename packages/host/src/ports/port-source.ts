import type { CallProgress, Caller, ServerEvent } from '../core/server-port.js';
import type { OfficialClient } from './official-client.js';

/** Something a server sent that was left out, for whoever maintains it. */
export interface PortFinding {
  readonly code: string;
  readonly message: string;
}

/** What every port is told about its server. */
interface PortNames {
  /** The server's name as people are to see it. */
  readonly name: string;
  /**
   * What the server is called toward apps: part of their sandbox address, so readable by them. Letters, digits, `_`
   * and `-` only; make one with `toServerIdentity`. Without it a random one is made, and apps begin with empty storage.
   */
  readonly identity?: string;
  onFinding?(finding: PortFinding): void;
}

/** A value, now or later. */
type Awaitable<T> = T | PromiseLike<T>;

/** The options a call is made with. */
interface CallOptions {
  readonly caller: Caller;
  readonly signal?: AbortSignal;
  onProgress?(progress: CallProgress): void;
}

/**
 * A server made of plain functions. Answers are the values of MCP and are parsed like those of any server; lists may
 * be given bare or as the result object of their method. What is left out, apps are not offered.
 */
export interface ServerHandlers {
  listTools?(): Awaitable<unknown>;
  callTool?(
    params: { name: string; arguments?: Record<string, unknown>; task?: { ttl?: number } },
    options: CallOptions,
  ): Awaitable<unknown>;
  readResource?(
    params: { uri: string },
    options: { readonly caller: Caller; readonly signal?: AbortSignal },
  ): Awaitable<unknown>;
  listResources?(): Awaitable<unknown>;
  listResourceTemplates?(): Awaitable<unknown>;
  listPrompts?(): Awaitable<unknown>;
  subscribeResource?(params: { uri: string }): Awaitable<unknown>;
  unsubscribeResource?(params: { uri: string }): Awaitable<unknown>;
  /** Needed for calls with a `task` to be passed on; each answers as the method of its name does. */
  readonly tasks?: {
    get(taskId: string, options: { readonly signal?: AbortSignal }): Awaitable<unknown>;
    result(taskId: string, options: { readonly signal?: AbortSignal }): Awaitable<unknown>;
    cancel(taskId: string): Awaitable<unknown>;
  };
  /** Called for each listener; what it passes on reaches the apps. */
  subscribe?(listener: (event: ServerEvent) => void): () => void;
}

/** A server reached through functions of the embedder, for instance requests to its own backend. */
export interface HandlersSource extends PortNames {
  readonly handlers: ServerHandlers;
}

/** A server reached through a connected official MCP client. */
export interface ClientSource extends PortNames {
  readonly client: OfficialClient;
}

/** A server that a Casement gateway is connected to; name and identity are the gateway's. */
export interface GatewaySource {
  readonly gateway: {
    /** The gateway's origin; empty for the page's own. */
    readonly url: string;
    readonly token: string;
    /** The server's name there. */
    readonly server: string;
  };
  onFinding?(finding: PortFinding): void;
}

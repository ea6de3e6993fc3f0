import type { CallToolResult, Task, Tool } from '../messages/tool-schemas.js';
import type {
  Prompt,
  ReadResourceResult,
  ResourceListing,
  ResourceTemplate,
} from '../messages/content-schemas.js';

/** On whose behalf a request goes to the server; the gateway applies its own rules by it. */
export type Caller = 'app' | 'user' | 'model';

/** One progress report of a running call, as the server gave it. */
export interface CallProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** What a server connection may tell its users. */
export type ServerEvent =
  | { readonly type: 'tools-changed' | 'resources-changed' | 'prompts-changed' | 'reconnected' }
  | { readonly type: 'resource-updated'; readonly uri: string }
  | { readonly type: 'lost'; readonly reason: string };

/** What can be done with tasks a server began (HOST-104). */
export interface ServerTasks {
  get(taskId: string, options?: { signal?: AbortSignal }): Promise<Task>;
  /** The outcome; waits for it where there is none yet. */
  result(taskId: string, options?: { signal?: AbortSignal }): Promise<CallToolResult>;
  cancel(taskId: string): Promise<void>;
}

/**
 * The one way the host reaches an MCP server. A session holds exactly one port for its whole life, so an app can
 * never name another server (HOST-023): there is nothing in a message that selects one.
 */
export interface ServerPort {
  readonly name: string;
  /** A salted hash of what the server is; part of the app's sandbox address, never the command or URL in clear. */
  readonly identity: string;
  listTools(): Promise<readonly Tool[]>;
  callTool(
    /** `task` only where there are `tasks`; a server that takes it answers with a `task` (see `readTask`). */
    params: { name: string; arguments?: Record<string, unknown>; task?: { ttl?: number } },
    options: { caller: Caller; signal?: AbortSignal; onProgress?(progress: CallProgress): void },
  ): Promise<CallToolResult>;
  readResource(
    params: { uri: string },
    options: { caller: Caller; signal?: AbortSignal },
  ): Promise<ReadResourceResult>;
  listResources(): Promise<readonly ResourceListing[]>;
  /** Optional, as all that follow but `subscribe`: what a port leaves out, an app is not offered. */
  listResourceTemplates?(): Promise<readonly ResourceTemplate[]>;
  listPrompts?(): Promise<readonly Prompt[]>;
  /**
   * Asks for changes of one resource, as 'resource-updated' events. Sessions share a port, so it counts: the server
   * hears the first subscription to a URI and the last one's end.
   */
  subscribeResource?(params: { uri: string }): Promise<void>;
  unsubscribeResource?(params: { uri: string }): Promise<void>;
  /** Work that goes on after the call that began it. */
  readonly tasks?: ServerTasks;
  subscribe(listener: (event: ServerEvent) => void): () => void;
}

/** Something a server sent that was left out, for whoever maintains it. */
export interface PortFinding {
  readonly code: string;
  readonly message: string;
}

/** What whoever creates a port says of its server. */
export interface PortNames {
  /** The server's name as people are to see it. */
  readonly name: string;
  /**
   * What the server is called toward apps: part of their sandbox address, so readable by them. Letters, digits, `_`
   * and `-` only; make one with `toServerIdentity`. Without it a random one is made, and apps begin with empty storage.
   */
  readonly identity?: string;
  onFinding?(finding: PortFinding): void;
}

import type {
  AppPermission,
  CallToolResult,
  ContentBlock,
  DisplayMode,
  HostContext,
  Implementation,
  LogLevel,
  Recording,
  Tool,
} from '@casement/protocol';
import type { AppResources } from './app-resource.js';
import type { AppSnapshot } from './app-snapshot.js';
import type { SessionLimits } from './limits.js';
import type { ServerPort } from './server-port.js';

/** Where the sandbox lives; the two fallbacks carry the reason they were chosen. */
export type SandboxTarget =
  | { readonly base: string }
  | { readonly opaqueBase: string; readonly reason: string }
  | { readonly staticUrl: string; readonly reason: string };

/** An app's wish to open a page outside; `host` is ASCII (punycode) and is what a dialog should show first. */
export interface LinkRequest {
  readonly url: string;
  readonly host: string;
  readonly server: string;
}

/** An app's wish to add a message to the conversation. */
export interface MessageRequest {
  readonly role: 'user';
  readonly content: ContentBlock[];
  readonly app: { readonly server: string; readonly resource: string; readonly info?: Implementation };
}

/** One log line of an app; never part of a conversation. */
export interface AppLog {
  readonly level: LogLevel;
  readonly logger?: string;
  readonly data: unknown;
}

/** What an embedder says about one app; a hook that is absent is a feature the app is not offered. */
export interface AppOptions {
  readonly server: ServerPort;
  readonly tool: Tool;
  readonly sandbox: SandboxTarget;
  /** A prefetch cache shared by the sessions of one server. */
  readonly resources?: AppResources;
  /** The complete arguments, when they are known at mount. */
  readonly toolInput?: Record<string, unknown>;
  readonly hostInfo?: Implementation;
  readonly hostContext?: HostContext;
  /** The modes this embedder can show; inline alone unless said otherwise. */
  readonly displayModes?: readonly DisplayMode[];
  readonly recording?: Recording;
  readonly limits?: Partial<SessionLimits>;
  readonly allowLoopback?: boolean;
  /** Permissions an app of this server gets when it declares them; none unless said otherwise. */
  readonly permissions?: readonly AppPermission[];
  /** Origins no app may declare or open, besides the host's and the sandbox's own. */
  readonly denyOrigins?: readonly string[];
  /** Consent to a link; the host opens it itself after a yes, without opener and referrer. */
  onOpenLink?(request: LinkRequest): Promise<boolean>;
  /** Consent to a message; after a yes the embedder appends it. */
  onMessage?(request: MessageRequest): Promise<boolean>;
  onLog?(entry: AppLog): void;
  /** The mode to be in force after an app's request; without it every offered mode is granted. */
  onDisplayMode?(request: { mode: DisplayMode; current: DisplayMode }): DisplayMode | Promise<DisplayMode>;
}

/** What an embedder can do with an app that is there. */
export interface AppControls {
  getSnapshot(): AppSnapshot;
  subscribe(listener: () => void): () => void;
  sendToolInputPartial(args: Record<string, unknown>): void;
  sendToolInput(args: Record<string, unknown>): void;
  sendToolResult(result: CallToolResult): void;
  cancelTool(reason?: string): void;
  setHostContext(patch: HostContext): void;
  /** Changes the mode if both sides know it; the snapshot tells which one is in force. */
  setDisplayMode(mode: DisplayMode): void;
  /** Throws the frames away and starts over with a fresh read; input and result are delivered again. */
  reload(): void;
  /** Asks the app to stop, waits at most the teardown limit, removes it. */
  close(reason?: string): Promise<void>;
}

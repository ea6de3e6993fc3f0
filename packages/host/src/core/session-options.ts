import type {
  AppFamily,
  AppPermission,
  CallToolResult,
  ContentBlock,
  DisplayMode,
  EvidenceMode,
  HostContext,
  Implementation,
  ParamsOf,
  Recording,
  ResultOf,
  Tool,
  ToolCallPolicy,
  ToolClaim,
} from '@casement/protocol';
import type { AppResource } from './load/app-resource.js';
import type { AppResources } from './load/app-resource.js';
import type { AppSnapshot, AppStorage, ModelContext } from './state/app-snapshot.js';
import type { ConsentMemory } from './consent/consent-memory.js';
import type { SessionLimits } from './limits.js';
import type { CallProgress, ServerPort } from '@casement/protocol/ports';

/**
 * Where the sandbox lives; the two fallbacks carry the reason they were chosen. Apps live below `otherSiteBase`, on
 * another site than the page's, in browsers that have no credentialless frames: these isolate by site, if at all.
 */
export type SandboxTarget =
  | { readonly base: string; readonly otherSiteBase?: string }
  | { readonly opaqueBase: string; readonly reason: string }
  | { readonly staticUrl: string; readonly reason: string };

/** An app's request to open a page in the browser. */
export interface LinkRequest {
  readonly url: string;
  /** In ASCII (punycode) and what a dialog should show first; the address, for a mail. */
  readonly host: string;
  readonly server: string;
  /** What a dialog must say besides: look-alike letters, the user's own network, a name too long to read (E05, E06, E09). */
  readonly warnings: readonly ('look-alike' | 'private-address' | 'long-name')[];
}

/** An app's request to save files; the names are safe, and the sizes are those of the decoded content. */
export interface DownloadRequest {
  readonly server: string;
  readonly files: readonly { readonly name: string; readonly mimeType: string; readonly bytes: number }[];
  /** Links the app wants saved; they are opened like any link, nothing is fetched. */
  readonly links: readonly LinkRequest[];
}

/** An app's request for an answer of the model. */
export interface SamplingRequest {
  readonly app: MessageRequest['app'];
  readonly params: ParamsOf<'sampling/createMessage'>;
}

/** A call that waits for the user's yes. */
export interface ToolCallRequest {
  /** Who wants to make it: an app of the server that has the tool, or the model. */
  readonly caller: 'app' | 'model';
  readonly server: string;
  /** The tool as it is listed now: the server's own words, or those of the app that offers it. */
  readonly tool: Tool;
  /** All of the arguments, as the server gets them. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What the tool says of itself; claims that nobody checked. */
  readonly claims: readonly ToolClaim[];
  /** What a yes is for: this call, or every tool of this app that says nothing of itself, while the app is shown. */
  readonly reach: 'call' | 'app';
  /** The app that calls, or that offers the tool. */
  readonly app?: MessageRequest['app'];
}

/** The answer to a question: no, yes, or yes from now on for this server (and this origin, or this tool as it is now). */
export type ConsentAnswer = boolean | 'always';

/** The second argument of every consent hook. */
export interface AskContext {
  /** Aborts when nobody waits for the answer any more: a dialog should go away then. */
  readonly signal: AbortSignal;
}

/** An app's request to add a message to the conversation. */
export interface MessageRequest {
  readonly role: 'user';
  readonly content: ContentBlock[];
  readonly app: { readonly server: string; readonly resource: string; readonly info?: Implementation };
  /** The user said always before: append it without asking again. */
  readonly remembered?: true;
}

/** A widget's request for a dialog that shows its own document, or another document of its server. */
export interface ModalRequest {
  readonly title?: string;
  /** Parameters for the document in the dialog, which reads them from its `view`. */
  readonly params?: Record<string, unknown>;
  /** What to show: mount it with `widgetView: { mode: 'modal', params }`, and the tool, input and result of this app. */
  readonly resourceUri: string;
  readonly app: MessageRequest['app'];
}

/** A request to show an external page as the app, in a frame of its own origin (MCP-UI). */
export interface ExternalUrlRequest {
  readonly url: string;
  readonly origin: string;
  /** In ASCII (punycode) and what a dialog should show first. */
  readonly host: string;
  readonly server: string;
  /** The same warnings as of a link. */
  readonly warnings: LinkRequest['warnings'];
}

/** One log line of an app; never part of a conversation. */
export interface AppLog {
  readonly level: ParamsOf<'notifications/message'>['level'];
  readonly logger?: string;
  readonly data: unknown;
}

/** What an embedder says about one app; a hook that is absent is a feature the app is not offered. */
export interface SessionOptions {
  readonly server: ServerPort;
  /** The tool whose UI is shown; absent for an app the embedder shows by itself, which is told of no tool. */
  readonly tool?: Tool;
  /** The UI resource of an app without a tool; with one, it wins over the tool's own. */
  readonly resourceUri?: string;
  readonly sandbox: SandboxTarget;
  /** How long what the app stores lasts: as long as this page, unless it is said to be persistent, which needs `user`. */
  readonly storage?: AppStorage['wanted'];
  /**
   * An id of the person who uses this page: not a name, and always the same for one person. Apps store data for each
   * user apart.
   */
  readonly user?: string;
  /** A prefetch cache shared by the sessions of one server. */
  readonly resources?: AppResources;
  /** The complete arguments, when they are known at mount. */
  readonly toolInput?: Record<string, unknown>;
  readonly hostInfo?: Implementation;
  readonly hostContext?: HostContext;
  /** The modes this embedder can show; inline alone unless said otherwise. */
  readonly displayModes?: readonly DisplayMode[];
  /** Where everything is written down; without one nothing is kept. */
  readonly recording?: { append(event: Parameters<Recording['append']>[0]): unknown };
  readonly limits?: Partial<SessionLimits>;
  /**
   * What the loader collects inside the app's page for whoever looks for a mistake: `none` nothing; `errors`, unless said
   * otherwise, what listeners hear (uncaught errors, failed loads, violations); `full` also what wrapped functions see
   * (console, use of what depends on the host), long tasks, first paint and layout, and needs `evidenceScript`.
   */
  readonly evidence?: EvidenceMode;
  /** What the loader runs for `full`: `evidenceScript` of `@casement/sandbox/evidence`, or a function that brings it. */
  readonly evidenceScript?: string | (() => Promise<string>);
  readonly allowLoopback?: boolean;
  /** Permissions an app of this server gets when it declares them; none unless said otherwise. */
  readonly permissions?: readonly AppPermission[];
  /** Origins no app may declare or open, besides the host's and the sandbox's own. */
  readonly denyOrigins?: readonly string[];
  /** Consent to a link; the host opens it itself after a yes, without opener and referrer. */
  onOpenLink?(request: LinkRequest, options: AskContext): Promise<ConsentAnswer>;
  /**
   * `trusted`: origins whose links open without a question. `mailto`: whether mail links are allowed, after a question.
   * By default every link is asked about and mail links are refused.
   */
  readonly links?: { readonly trusted?: readonly string[]; readonly mailto?: boolean };
  /** Where "always" is remembered; the page's own memory unless given. */
  readonly consents?: ConsentMemory;
  /** What `onViewState` gave for the same document before: scroll positions and form fields, filled in again. */
  readonly viewState?: unknown;
  /**
   * Whose view it may be: that of the very same document under the same policy, or, for pages that show an app anew when
   * its author changed it, that of an earlier version of it. The same document unless said otherwise.
   */
  readonly viewStateOf?: 'same-document' | 'earlier-version';
  /** The app is about to lose its frame: what the user would miss of its page, as JSON to hand back as `viewState`. */
  onViewState?(state: unknown): void;
  /** Consent to a message; after a yes the embedder appends it. */
  onMessage?(request: MessageRequest, options: AskContext): Promise<ConsentAnswer>;
  /** The app said what the model should know of it; undefined when it took that back. */
  onModelContext?(context: ModelContext | undefined, app: MessageRequest['app']): void;
  /** Consent to saving files; the page saves them itself after a yes (HOST-084). */
  onDownload?(request: DownloadRequest, options: AskContext): Promise<ConsentAnswer>;
  /** Consent to asking the model; needed besides `createMessage` (HOST-082). */
  onSampling?(request: SamplingRequest, options: AskContext): Promise<ConsentAnswer>;
  /** Consent to a call of the app to its server that may do harm by the tool's own words; without it such a call is refused. */
  onToolCall?(request: ToolCallRequest, options: AskContext): Promise<ConsentAnswer>;
  /** Which calls of the app need that consent, where the default is not what the embedder wants. */
  readonly toolCallPolicy?: ToolCallPolicy;
  /** Asks the model the embedder chose; preferences of the app are hints only. */
  createMessage?(
    params: ParamsOf<'sampling/createMessage'>,
    options: { signal: AbortSignal },
  ): Promise<ResultOf<'sampling/createMessage'>>;
  /** Whether to close an app that asks for it; without this hook it is closed (HOST-090). */
  onRequestTeardown?(): boolean | Promise<boolean>;
  /** The app introduced itself; called before the answer is put together. */
  onInitialize?(params: ParamsOf<'ui/initialize'>): void;
  /** Looks at a document before it is shown (HOST-037); a string refuses it and is the reason. */
  review?(resource: AppResource): string | undefined | Promise<string | undefined>;
  /** SHA-256 hashes of documents that are never shown. */
  readonly blockedHashes?: readonly string[];
  /** Sandbox tokens to take away from the fixed set. */
  readonly withoutSandboxTokens?: readonly 'allow-forms'[];
  onLog?(entry: AppLog): void;
  /** The mode to be in force after an app's request; without it every offered mode is granted. */
  onDisplayMode?(request: { mode: DisplayMode; current: DisplayMode }): DisplayMode | Promise<DisplayMode>;

  // Widgets of the OpenAI Apps SDK.

  /** Which of two families to take when a tool names a UI for both; MCP Apps unless said otherwise. */
  readonly family?: Exclude<AppFamily, 'mcp-ui'>;
  /** What a widget of the OpenAI family had kept before; given to it when it starts. */
  readonly widgetState?: unknown;
  /** A widget wants its state kept; the session itself keeps the last one for reloads. */
  onWidgetState?(state: unknown): void;
  /** Says that a widget is not shown in its ordinary place but, for example, in a dialog (`mode: 'modal'`). */
  readonly widgetView?: { readonly mode: string; readonly params?: Record<string, unknown> };
  /** A widget wants a dialog; a rejection is its answer. */
  onModal?(request: ModalRequest): void | Promise<void>;

  // Apps of MCP-UI.

  /** A UI inside the tool's result (a content block of type "resource"), shown instead of what the tool names. */
  readonly embedded?: unknown;
  /** Consent to an app that is an external page (MCP-UI); without this hook it is refused. */
  onExternalUrl?(request: ExternalUrlRequest, options: AskContext): Promise<ConsentAnswer>;
}

/** A text that the app's frame read, or why there is none. */
export type FetchedText = { readonly text: string } | { readonly refused: string };

/** What an embedder can do with an app that is there. */
export interface MountedApp {
  getSnapshot(): AppSnapshot;
  subscribe(listener: () => void): () => void;
  sendToolInputPartial(args: Record<string, unknown>): void;
  /** The arguments' JSON text as far as a model has written it; healed and told at most once per painted frame. */
  sendToolInputText(textSoFar: string): void;
  sendToolInput(args: Record<string, unknown>): void;
  sendToolResult(result: CallToolResult): void;
  sendToolCancelled(reason?: string): void;
  sendHostContextChanged(patch: HostContext): void;
  /** Gives a widget a state that was changed elsewhere, such as in its dialog; it is kept as if the widget had set it. */
  setWidgetState(state: unknown): void;
  /** Changes the mode if both sides know it; the snapshot tells which one is in force. */
  setDisplayMode(mode: DisplayMode): void;
  /** Calls a tool the app offers, by either of its names; rejects once the app is gone (HOST-095). */
  callAppTool(
    name: string,
    args: Record<string, unknown>,
    options?: {
      signal?: AbortSignal;
      onProgress?(progress: CallProgress): void;
      /** The call goes on as a task. A task of the server can end well even after the app is gone (HOST-104). */
      onTask?(task: { readonly taskId: string; readonly ofServer: boolean }): void;
    },
  ): Promise<CallToolResult>;
  /** What the user would miss of the app's page, to hand to another mount as `viewState`; undefined if there is nothing. */
  readView(): Promise<unknown>;
  /**
   * Has the app's own frame read a text, such as a source map, under the app's policy and without credentials: at most
   * 10 MB, from the app's origin or one it declared to connect to. What comes is the guest's word.
   */
  fetchFromApp(url: string): Promise<FetchedText>;
  /** Ends an app at once, without asking it; for one that does not respond (T13). */
  stop(): void;
  /** Throws the frames away and starts over with a fresh read; input and result are delivered again. */
  reload(): void;
  /** Takes the app out of sight at once, asks it to stop, waits at most the teardown limit, removes it. */
  close(reason?: string): Promise<void>;
}

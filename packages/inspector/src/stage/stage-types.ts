import type { AppResources, AppSnapshot, MountAppOptions, MountedApp } from '@casement/host';
import type { CallProgress, ServerPort } from '@casement/protocol/ports';
import type {
  AppFamily,
  AppPermission,
  CallToolResult,
  DisplayMode,
  HostContext,
  Tool,
} from '@casement/protocol';
import type { CasementError } from '@casement/protocol/start';
import type { Readable } from '../store.js';
import type { PaceName } from '../address/view-settings.js';

/** The state of the tool call behind the app. */
export type CallState =
  | { status: 'none' }
  /** The arguments are played to the app as a model would write them; nothing is called yet. */
  | { status: 'streaming'; since: number; written: number; total: number }
  | { status: 'running'; since: number; progress?: CallProgress; warning?: string }
  | { status: 'done'; result: CallToolResult; ms: number; bytes?: number }
  | { status: 'cancelled'; ms: number }
  | { status: 'failed'; error: CasementError; ms: number };

/** A tool of a server, and the means to show its app. */
export interface StagedTool {
  port: ServerPort;
  resources: AppResources;
  tool: Tool;
}

/** One call to make and, if its tool has one, the app to show. */
export interface StagedCall extends StagedTool {
  args: Record<string, unknown>;
}

/** A family whose UI a tool can name; that of MCP-UI is in the result. */
export type NamedFamily = Exclude<AppFamily, 'mcp-ui'>;

/** What only the page knows about how an app is mounted. */
export type StageSettings = Pick<
  MountAppOptions,
  | 'sandbox'
  | 'storage'
  | 'user'
  | 'hostContext'
  | 'recording'
  | 'hostInfo'
  | 'displayModes'
  | 'chrome'
  | 'evidence'
  | 'evidenceScript'
  | 'onOpenLink'
  | 'onExternalUrl'
  | 'onMessage'
  | 'onDownload'
  | 'consents'
>;

/** What an app did that its snapshot does not tell. */
export interface AppHistory {
  /** How often it said what the model should know; taking that back counts too. */
  readonly contextUpdates: number;
  /** Whether it asked to be closed. */
  readonly askedToClose: boolean;
}

/** What is on the stage now. */
export interface StageState {
  readonly call: CallState;
  /** The call that was run last. */
  readonly staged?: StagedCall;
  readonly snapshot?: AppSnapshot;
  readonly history: AppHistory;
  /** The permissions that apps of the shown resource get if they declare them. */
  readonly grants: readonly AppPermission[];
  /** The family the app is shown in, where its tool names a UI for two. */
  readonly family?: NamedFamily;
}

/** The place where one app at a time is shown, with the call that feeds it. */
export interface Stage extends Readable<StageState> {
  run(call: StagedCall, settings: StageSettings, pace: PaceName): Promise<void>;
  /** Makes the app of a tool ready that will probably be run; false for one that is ready, and kept for another minute. */
  prepare(tool: StagedTool, settings: StageSettings): boolean;
  /** The user presses what runs it; whether its app was made ready. */
  begin(): boolean;
  /** Lets go of an app that was made ready. */
  forget(reason: string): void;
  /** Says beside a call that is under way to this server what may keep it from an answer. */
  warn(port: ServerPort, warning: string): void;
  cancel(): void;
  reload(): void;
  /**
   * Shows the app anew because its server or document changed: with what the user typed and where they scrolled, by the
   * tool as it is now. Its call is made again, or else the recorded result is told. False when there is no app to show.
   */
  renew(change: { readonly tool: Tool; readonly view: unknown; readonly isRepeated: boolean }): boolean;
  /** What the user would miss of the app's page, for `renew`. */
  readView(): Promise<unknown>;
  /** Ends the app at once, without asking it. */
  stop(): void;
  close(): Promise<void>;
  setHostContext(patch: HostContext): void;
  setDisplayMode(mode: DisplayMode): void;
  /** Gives the apps of the shown resource permissions, if they declare them; a change shows the app anew. */
  grant(permissions: readonly AppPermission[]): void;
  /** Shows the app in another of the families its tool names a UI for. */
  showAs(family: NamedFamily): void;
  /** Whether apps may send messages and tell a model what to know; a change shows the app anew. */
  offerMessages(isOffered: boolean): void;
  /** Where the app is framed and stores; a change shows the app anew. */
  setPlace(place: Pick<StageSettings, 'sandbox' | 'storage' | 'user'>): void;
  callAppTool: MountedApp['callAppTool'];
  /** Has the app's own frame read a text, under the app's policy. */
  fetchFromApp: MountedApp['fetchFromApp'];
}

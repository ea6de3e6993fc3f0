import type {
  AppControls,
  AppResources,
  AppSnapshot,
  CallProgress,
  MountAppOptions,
  ServerPort,
} from '@casement/host';
import type {
  AppPermission,
  CallToolResult,
  CasementError,
  DisplayMode,
  HostContext,
  Tool,
} from '@casement/protocol';
import type { NamedFamily } from './families.js';
import type { PaceName } from './stream-arguments.js';

/** How the tool call behind the app goes. */
export type CallState =
  | { status: 'none' }
  /** The arguments are played to the app as a model would write them; nothing is called yet. */
  | { status: 'streaming'; since: number; told: number; total: number }
  | { status: 'running'; since: number; progress?: CallProgress; warning?: string }
  | { status: 'done'; result: CallToolResult; ms: number; bytes?: number }
  | { status: 'cancelled'; ms: number }
  | { status: 'failed'; error: CasementError; ms: number };

/** One call to make and, if its tool has one, the app to show. */
export interface StagedCall {
  port: ServerPort;
  resources: AppResources;
  tool: Tool;
  args: Record<string, unknown>;
}

/** What only the page knows about how an app is mounted. */
export type StageSettings = Pick<
  MountAppOptions,
  | 'sandbox'
  | 'hostContext'
  | 'recording'
  | 'hostInfo'
  | 'displayModes'
  | 'chrome'
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

/** The place where one app at a time is shown, with the call that feeds it. */
export interface Stage {
  run(call: StagedCall, settings: StageSettings, pace: PaceName): Promise<void>;
  /** Says beside a call that is under way to this server what may keep it from an answer. */
  warn(port: ServerPort, warning: string): void;
  cancel(): void;
  reload(): void;
  /** Ends the app at once, without asking it. */
  stop(): void;
  close(): Promise<void>;
  setHostContext(patch: HostContext): void;
  setDisplayMode(mode: DisplayMode): void;
  /** The permissions apps of the shown resource get if they declare them; a change shows the app anew. */
  grants(): readonly AppPermission[];
  grant(permissions: readonly AppPermission[]): Promise<void>;
  /** The family the app is shown in, if its tool names a UI for two; a change shows the app anew. */
  family(): NamedFamily | undefined;
  showAs(family: NamedFamily): Promise<void>;
  callAppTool: AppControls['callAppTool'];
  call(): CallState;
  /** The call that was run last. */
  staged(): StagedCall | undefined;
  snapshot(): AppSnapshot | undefined;
  history(): AppHistory;
  subscribe(listener: () => void): () => void;
}

import type { AppSnapshot, ConsentAnswer, MountedApp, SessionLimits } from '@casement/host';
import type { CallToolResult, DisplayMode, HostContext } from '@casement/protocol';

/** What a test asks a page to show; only data, since it travels into the browser. */
export interface ContractSpec {
  readonly base: string;
  readonly html: string;
  /** False for an app the page shows by itself, without a tool. */
  readonly hasTool?: boolean;
  readonly displayModes?: DisplayMode[];
  readonly fallback?: string;
  readonly limits?: Partial<SessionLimits>;
  /** How each question is answered, the last answer again and again; a question without answers has no hook. */
  readonly answers?: Partial<Record<Question, ConsentAnswer[]>>;
  readonly hearsModelContext?: boolean;
  /** How many reads of the app's HTML fail first. */
  readonly failingReads?: number;
}

/** The questions a page may be asked. */
export type Question = 'link' | 'message' | 'download' | 'sampling' | 'teardown';

/** What can be changed while the app runs. */
export interface ContractChanges {
  readonly toolInputPartial?: Record<string, unknown>;
  readonly toolInputText?: string;
  readonly toolInput?: Record<string, unknown>;
  readonly toolResult?: CallToolResult;
  readonly toolCancelled?: string;
  readonly hostContext?: HostContext;
  readonly displayMode?: DisplayMode;
}

/** Something the page heard from the app. */
export interface Heard {
  readonly what: string;
  readonly value: unknown;
}

/** One way to embed an app, as the contract suite drives it. */
interface ContractPage {
  show(spec: ContractSpec): void;
  /** Shows another app at the top of the page. */
  showOther(spec: ContractSpec): void;
  change(changes: ContractChanges): void;
  snapshot(): AppSnapshot | undefined;
  controls(): Pick<MountedApp, 'reload' | 'stop' | 'callAppTool'>;
  /** Takes the app off the page in the way this embedding wants it done. */
  remove(): Promise<void>;
  readonly heard: Heard[];
}

declare global {
  interface Window {
    contract: ContractPage;
  }
}

import type {
  AppCapabilities,
  AppFamily,
  AppPermission,
  ContentBlock,
  DeclaredCsp,
  DisplayMode,
  EvidenceLog,
  HostCapabilities,
  HostContext,
  Implementation,
  MetadataFinding,
  ParamsOf,
  Tool,
} from '@casement/protocol';
import type { createDialectDoor } from '@casement/protocol/dialects';
import type { DroppedDomain, SandboxPolicy } from '@casement/sandbox';
import type { ResourceProvenance } from '../load/app-resource.js';
import type { Eviction, SessionFailure, SessionStatus } from './session-state.js';

/** One blocked load as the guest's document reported it; a guest can forge these. */
export interface AppViolation {
  readonly directive: string;
  readonly blockedUri: string;
  readonly sourceFile?: string;
  readonly line?: number;
  readonly column?: number;
  readonly sample?: string;
  readonly disposition?: string;
  /** When the host heard of it, in milliseconds since 1970. */
  readonly at?: number;
}

/** An uncaught error as the guest's document reported it; a guest can forge these. */
type AppScriptError = ParamsOf<'ui/notifications/sandbox-script-error'> & {
  /** When the host heard of it, in milliseconds since 1970. */
  readonly at?: number;
};

/** The steps of an app, in their order. */
export const milestones = [
  'started',
  'read',
  'framed',
  'loaded',
  'greeted',
  'ready',
  'input',
  'result',
] as const;

/**
 * When the host saw the app come to each of its steps in this epoch, in milliseconds since 1970: started; its HTML read;
 * its frame waiting for the HTML; the document loaded with all it names; the app greeted the host (ui/initialize); it is
 * ready (initialized); its input, and its result, were delivered.
 */
export type AppTimes = { readonly [M in (typeof milestones)[number]]?: number };

/** A size the app asked for. */
interface AskedSize {
  readonly at: number;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** What the model should know of an app, as the app said it last; a later update replaces it whole (HOST-064). */
export interface ModelContext {
  readonly content?: readonly ContentBlock[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

/** A tool a live app offers. */
export interface AppTool {
  /** Its name for a model: prefixed, so that it never is the name of a server's tool (HOST-098). */
  readonly qualifiedName: string;
  readonly tool: Tool;
  /** False for tools announced in a dialect that has no way to call them. */
  readonly callable: boolean;
}

/** The storage of an app: what the embedder wanted, and what this browser gives. */
export interface AppStorage {
  /** How long it shall last: as long as the page, or from visit to visit. */
  readonly wanted: 'page' | 'persistent';
  /** `persistent` too where the browser cannot end it with the page; `none` where the app has no storage. */
  readonly inForce: 'page' | 'persistent' | 'none';
}

/** What an embedder can show about a session; a new object each time something changed. */
export interface AppSnapshot {
  readonly status: SessionStatus;
  readonly session: string;
  readonly epoch: number;
  readonly failure?: SessionFailure;
  /** Why the app gave up its frame, while its status is evicted. */
  readonly eviction?: Eviction;
  readonly resource?: {
    readonly uri: string;
    readonly hash: string;
    /** Whose loader runs it. */
    readonly family?: AppFamily;
    /** The address of the external page that is shown as the app, if it is one (MCP-UI). */
    readonly url?: string;
    readonly bytes: number;
    readonly findings: readonly MetadataFinding[];
    readonly provenance: ResourceProvenance;
    /** What the resource asks for; what it got is in the policy. */
    readonly permissions?: readonly AppPermission[];
    readonly prefersBorder?: boolean;
    /** Whether the loader gave the document window.mcpApp. */
    readonly shim?: boolean;
    /** How the read compares to the last one of the same address. */
    readonly cache?: 'new' | 'revalidated' | 'changed';
  };
  readonly policy?: {
    readonly declared?: DeclaredCsp;
    readonly effective: SandboxPolicy;
    readonly dropped: readonly DroppedDomain[];
    readonly csp: string;
  };
  readonly address?: {
    readonly proxyOrigin: string;
    readonly appOrigin: string;
    /** Whether the app is on the page's site or on the other one, where the sandbox has both. */
    readonly site?: 'page' | 'other';
  };
  /** Whether the app can store something, and for how long. */
  readonly storage?: AppStorage;
  readonly fallback?: { readonly kind: 'opaque' | 'static'; readonly reason: string };
  readonly appInfo?: Implementation;
  readonly appCapabilities?: AppCapabilities;
  readonly hostCapabilities?: HostCapabilities;
  /** What the app is or will be told; empty until the session has loaded what it takes to tell. */
  readonly hostContext: HostContext;
  readonly displayMode: DisplayMode;
  /** The modes host and app both know, once the app said which it knows. */
  readonly displayModes?: readonly DisplayMode[];
  /** The size the app asked for, clamped. */
  readonly size?: { readonly width?: number; readonly height?: number };
  /**
   * Findings for the app's author: about metadata of tool and resource, refused domains, refused requests, size loops.
   */
  readonly findings: readonly MetadataFinding[];
  readonly violations: readonly AppViolation[];
  /** Messages the proxy did not pass on. */
  readonly dropped: number;
  readonly prewarmed: boolean;
  /** Uncaught errors of the app's document, as it reported them; forgeable, the first few. */
  readonly scriptErrors: readonly AppScriptError[];
  /** What the app's page reported of itself; forgeable. It adds to what the host saw and never takes anything away. */
  readonly evidence: EvidenceLog;
  /** When the host saw the app come to each of its steps. */
  readonly times: AppTimes;
  /** The last sizes the app asked for, at most 20, whatever became of them. */
  readonly sizes: readonly AskedSize[];
  readonly modelContext?: ModelContext;
  /** What a widget of the OpenAI family last had kept. */
  readonly widgetState?: unknown;
  /** The tools the app offers now; gone with the app (HOST-093). */
  readonly appTools: readonly AppTool[];
  /** The older documents whose names this app uses; empty for an app that speaks the spec. */
  readonly dialects: ReturnType<typeof createDialectDoor>['dialects'];
}

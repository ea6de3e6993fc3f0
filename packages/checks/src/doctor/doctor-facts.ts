import type {
  AppFamily,
  AppPermission,
  ErrorCode,
  EvidenceLog,
  MetadataFinding,
  SessionStep,
} from '@casement/protocol';
import type { DroppedDomain, SandboxPolicy } from '@casement/sandbox';
import type { DoctorFinding, SeenPlace } from './report.js';

/** A load that the policy blocked; `at` is milliseconds since 1970. */
export interface SeenViolation extends SeenPlace {
  readonly directive: string;
  readonly blockedUri: string;
  readonly at?: number;
}

/** An error that nothing in the app caught. */
export interface SeenScriptError extends SeenPlace {
  readonly message: string;
  readonly at?: number;
  readonly stack?: string;
}

/** Why an app ended, or what it lost while going on, in the words of the host. */
export interface SeenFailure {
  readonly step: SessionStep;
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string;
}

/** When the host saw each milestone, in milliseconds since 1970. */
export interface SeenTimes {
  readonly started?: number;
  readonly read?: number;
  readonly framed?: number;
  readonly loaded?: number;
  readonly greeted?: number;
  readonly ready?: number;
  readonly input?: number;
  readonly result?: number;
}

/** What the host knows of one app; a snapshot of the host has all of it. */
export interface AppFacts {
  readonly status:
    'idle' | 'loading' | 'sandbox' | 'handshake' | 'ready' | 'tearing-down' | 'evicted' | 'closed' | 'failed';
  readonly failure?: SeenFailure;
  readonly resource?: {
    readonly uri: string;
    readonly bytes: number;
    readonly family?: AppFamily;
    readonly url?: string;
    /** What it declares, given or not. */
    readonly permissions?: readonly AppPermission[];
  };
  readonly policy?: { readonly effective: SandboxPolicy; readonly dropped: readonly DroppedDomain[] };
  readonly address?: { readonly proxyOrigin: string; readonly appOrigin: string };
  readonly storage?: { readonly inForce: 'page' | 'persistent' | 'none' };
  readonly fallback?: { readonly kind: 'opaque' | 'static' };
  /** Set once the app has sent ui/initialize. */
  readonly appInfo?: { readonly name: string; readonly version: string };
  readonly findings: readonly MetadataFinding[];
  readonly violations: readonly SeenViolation[];
  readonly scriptErrors: readonly SeenScriptError[];
  readonly dropped: number;
  readonly evidence?: EvidenceLog;
  readonly times?: SeenTimes;
  /** What it was told of the page it is in. */
  readonly hostContext?: { readonly locale?: string | undefined };
}

/** What is known of the server beside the tool. */
export interface ServerFacts {
  /** What it said in answer to initialize. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
  /** Whether it was told that this client shows apps; left out where nobody knows. */
  readonly advertised?: boolean;
  /** All its tools, as it lists them. */
  readonly tools?: readonly unknown[];
}

/** Everything the doctor judges by; what is left out, nobody looked at. */
export interface DoctorFacts {
  /** The tool as the server lists it. */
  readonly tool?: unknown;
  /** What its call gave; left out while the call is under way, or where there is none. */
  readonly result?: unknown;
  readonly server?: ServerFacts;
  readonly app?: AppFacts;
  /** What the browser itself reported as blocked by the policy; those of other apps are passed over. */
  readonly reports?: readonly (SeenViolation & { readonly appOrigin: string })[];
  /** When this is asked, in milliseconds since 1970: what is late is told from what is under way. */
  readonly at?: number;
  /** What the rules found in tool, result and document: they change less often, and are read less often. */
  readonly lint?: readonly DoctorFinding[];
}

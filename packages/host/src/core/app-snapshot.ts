import type {
  AppCapabilities,
  DeclaredCsp,
  DisplayMode,
  ErrorCode,
  HostCapabilities,
  HostContext,
  Implementation,
  MetadataFinding,
  SessionStep,
} from '@casement/protocol';
import type { DroppedDomain, SandboxPolicy } from '@casement/sandbox';
import type { ResourceProvenance } from './app-resource.js';
import type { SessionStatus } from './session-state.js';

/** Why a session ended, or what it lost while going on (server-lost). */
export interface SessionFailure {
  readonly step: SessionStep;
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string;
}

/** One blocked load as the guest's document reported it; a guest can forge these. */
export interface AppViolation {
  readonly directive: string;
  readonly blockedUri: string;
  readonly sourceFile?: string;
  readonly line?: number;
  readonly column?: number;
  readonly sample?: string;
  readonly disposition?: string;
}

/** What an embedder can show about a session; a new object each time something changed. */
export interface AppSnapshot {
  readonly status: SessionStatus;
  readonly session: string;
  readonly epoch: number;
  readonly failure?: SessionFailure;
  readonly resource?: {
    readonly uri: string;
    readonly hash: string;
    readonly bytes: number;
    readonly findings: readonly MetadataFinding[];
    readonly provenance: ResourceProvenance;
    readonly prefersBorder?: boolean;
  };
  readonly policy?: {
    readonly declared?: DeclaredCsp;
    readonly effective: SandboxPolicy;
    readonly dropped: readonly DroppedDomain[];
    readonly csp: string;
  };
  readonly address?: { readonly proxyOrigin: string; readonly appOrigin: string };
  readonly fallback?: { readonly kind: 'opaque' | 'static'; readonly reason: string };
  readonly appInfo?: Implementation;
  readonly appCapabilities?: AppCapabilities;
  readonly hostCapabilities?: HostCapabilities;
  readonly hostContext: HostContext;
  readonly displayMode: DisplayMode;
  /** The size the app asked for, clamped. */
  readonly size?: { readonly width?: number; readonly height?: number };
  /** What the app's author should mend: metadata of tool and resource, refused domains, refused requests, size loops. */
  readonly findings: readonly MetadataFinding[];
  readonly violations: readonly AppViolation[];
  /** Messages the proxy did not pass on. */
  readonly dropped: number;
  readonly prewarmed: boolean;
}

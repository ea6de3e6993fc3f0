import type {
  AppFamily,
  DisplayMode,
  HostCapabilities,
  InitializeParams,
  InitializeResult,
  MetadataFinding,
  NotificationMethod,
  ParamsOf,
  RequestMethod,
  RequestOptions,
  ResultOf,
} from '@casement/protocol';
import type { SandboxPolicy } from '@casement/sandbox';
import type { AppSize } from '../app-size.js';
import type { AppSnapshot } from '../app-snapshot.js';
import type { Decision } from '../decision.js';
import type { SessionLimits } from '../limits.js';
import type { OwnPlaces } from '../policy-links.js';
import type { SessionRecorder } from '../session-recorder.js';
import type { AppOptions, MessageRequest } from '../session-options.js';
import type { SessionDetails } from '../session-store.js';
import type { Surface } from '../surface.js';

/** What the handlers of one session may use. */
export interface HandlerContext {
  readonly options: AppOptions;
  readonly surface: Surface;
  readonly recorder: SessionRecorder;
  readonly limits: SessionLimits;
  /** Aborts when the session fails; not when it closes, so that what an app saves at the end gets through. */
  readonly failed: AbortSignal;
  /** Aborts when the app is asked to stop for good: what it wants of the user is over then, what it saves is not. */
  readonly closing: AbortSignal;
  /** Whether the app is initialized and not yet gone. */
  isServing(): boolean;
  /** Whose loader runs the app, which decides what silence in metadata means. */
  family(): AppFamily;
  ownPlaces(): OwnPlaces;
  app(): MessageRequest['app'];
  /** Records the decision and throws it as a refusal when it is one. */
  enforce(method: string, decision: Decision, details?: Record<string, unknown>): void;
  notify<M extends NotificationMethod>(method: M, params: ParamsOf<M>): void;
  /** Asks the app something; rejects with session-closed when there is none. */
  request<M extends RequestMethod>(
    method: M,
    params: ParamsOf<M>,
    options?: RequestOptions,
  ): Promise<ResultOf<M>>;
  snapshot(): AppSnapshot;
  /** Changes what the snapshot shows. */
  update(details: Partial<SessionDetails>): void;
  /** Adds something the author should mend, once. */
  find(finding: MetadataFinding): void;
  /** Ends the app in the orderly way: teardown is sent and awaited first. */
  close(reason: string): void;
  initialize(
    params: InitializeParams,
    toCapabilities: (policy: SandboxPolicy | undefined) => HostCapabilities,
  ): InitializeResult;
  resize(report: AppSize): void;
  readonly displayMode: {
    current(): DisplayMode;
    offered(): readonly DisplayMode[];
    declared(): readonly DisplayMode[] | undefined;
    apply(mode: DisplayMode): void;
  };
}

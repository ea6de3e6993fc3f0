export { createAppResources } from './app-resource.js';
export type { AppResource, AppResources, ResourceProvenance } from './app-resource.js';
export type { AppSnapshot, AppTool, AppViolation, ModelContext, SessionFailure } from './app-snapshot.js';
export type {
  ConsentChoice,
  ConsentKey,
  ConsentMemory,
  ConsentStorage,
  ConsentStore,
} from './consent-memory.js';
export { defaultLimits } from './limits.js';
export type { SessionLimits } from './limits.js';
export { loadFollowTask } from './load-follow-task.js';
export { planFrame } from './plan-frame.js';
export type { FrameWish } from './plan-frame.js';
export type { RequestLimits } from './request-limits.js';
export type { CallProgress, Caller, ServerEvent, ServerPort, ServerTasks } from './server-port.js';
export type {
  AppControls,
  AppLog,
  AppOptions,
  ConsentAnswer,
  ConsentOptions,
  DownloadRequest,
  ExternalUrlRequest,
  LinkRequest,
  MessageRequest,
  ModalRequest,
  SamplingRequest,
  SandboxTarget,
  ToolCallRequest,
} from './session-options.js';
export type { SessionStatus } from './session-state.js';
export { createSession } from './session.js';
export type { Session } from './session.js';
export type { FrameSpec, Surface } from './surface.js';

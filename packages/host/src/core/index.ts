export { createAppResources } from './app-resource.js';
export type { AppResource, AppResources, ResourceProvenance } from './app-resource.js';
export type { AppSnapshot, AppViolation, SessionFailure } from './app-snapshot.js';
export { defaultLimits } from './limits.js';
export type { SessionLimits } from './limits.js';
export type { CallProgress, Caller, ServerEvent, ServerPort } from './server-port.js';
export type {
  AppControls,
  AppLog,
  AppOptions,
  LinkRequest,
  MessageRequest,
  SandboxTarget,
} from './session-options.js';
export type { SessionStatus } from './session-state.js';
export { createSession } from './session.js';
export type { Session } from './session.js';
export type { FrameSpec, Surface } from './surface.js';

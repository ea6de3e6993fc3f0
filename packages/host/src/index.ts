export { createAppResources } from './core/load/app-resources.js';
export type { AppResource, AppResources } from './core/load/app-resource.js';
export type { SessionLimits } from './core/limits.js';
export { planFrame } from './core/frame/bare-frame.js';
export type {
  AppLog,
  AskContext,
  ConsentAnswer,
  DownloadRequest,
  ExternalUrlRequest,
  LinkRequest,
  MessageRequest,
  ModalRequest,
  MountedApp,
  SamplingRequest,
  SandboxTarget,
  SessionOptions,
  ToolCallRequest,
} from './core/session-options.js';
export type { AppSnapshot, AppTool, AppViolation, ModelContext } from './core/state/app-snapshot.js';
export type { SessionFailure } from './core/state/session-state.js';
export { createSession } from './core/session/session.js';
export type { Session } from './core/session/session.js';
export type { Surface } from './core/surface.js';
export { buildHostContext } from './dom/build-host-context.js';
export { toAppProblem, toFailedText, toFailureText } from './dom/failure-text.js';
export type { HostWords } from './dom/host-words.js';
export type { MountAppOptions } from './dom/mount-app-options.js';
export { mountApp } from './dom/mount-app.js';
export { probeSandbox } from './dom/sandbox/probe-sandbox.js';

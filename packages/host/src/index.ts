export * from './core/index.js';
export type { MountAppOptions, MountedApp } from './dom/mount-app-options.js';
export { mountApp } from './dom/mount-app.js';
export { probeSandbox } from './dom/probe-sandbox.js';

export * from './core/index.js';
export type { MountAppOptions, MountedApp } from './dom/mount-app-options.js';

export * from './core/index.js';
export { buildHostContext } from './dom/build-host-context.js';
export type { BuildHostContextOptions } from './dom/build-host-context.js';
export { loadDefaultStyles } from './dom/load-default-styles.js';
export type { ChromeLevel, MountAppOptions, MountedApp } from './dom/mount-app-options.js';
export { mountApp } from './dom/mount-app.js';
export { toPrintable, type PrintableOptions } from '@casement/protocol/basics';
export { probeSandbox } from './dom/probe-sandbox.js';
export { createFunctionPort } from './ports/function-port.js';

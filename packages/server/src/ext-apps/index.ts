export * from './ext-apps-errors.js';
export type * from './ext-apps-types.js';
export * from './message-handler.js';

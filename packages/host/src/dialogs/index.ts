export { createConsentMemory } from '../core/consent-memory.js';
export type { ConsentStorage } from '../core/consent-memory.js';
export { openAppDialog } from './app-dialog.js';
export type { AppDialog, AppDialogOptions } from './app-dialog.js';
export { createConsentDialogs, isAsking } from './create-consent-dialogs.js';
export type { ConsentDialogOptions, ConsentDialogs } from './create-consent-dialogs.js';
export type { DialogWords } from './dialog-words.js';

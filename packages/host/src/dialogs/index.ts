export { createConsentDialogs } from './create-consent-dialogs.js';
export type { ConsentDialogOptions, ConsentDialogs } from './create-consent-dialogs.js';
export type { DialogWords } from './dialog-words.js';

export { createConsentMemory } from '../core/consent/consent-memory.js';
export { openAppDialog } from './app-dialog.js';
export { createConsentDialogs, isAsking } from './create-consent-dialogs.js';
export type { ConsentDialogs } from './create-consent-dialogs.js';

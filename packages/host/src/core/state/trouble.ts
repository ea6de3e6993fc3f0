/*
 * Loaded on demand: the words for what went wrong. What ends an app that does what it may not is in `failures`, which
 * is always here.
 */
export { explainSilence, scriptErrorFinding, sizeLoop, toBlockedAsset } from './diagnosis.js';
export { createQuietPageWatch } from './quiet-page.js';
export { storageBlocked, toReleaseSkew, toSandboxFailure, toStorageLasts } from './sandbox-failures.js';
export { toStoodStill, toTimeoutFailure } from './step-failures.js';

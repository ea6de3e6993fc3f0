/*
 * Loaded on demand: what is said and kept of an app in which something went wrong, what looks into it, and what it says of
 * its own page. What ends an app that does what it may not is in `failures`, which is always here.
 */
export { createEvidenceKeeper } from '../evidence/evidence-log.js';
export { fetchFromApp } from '../evidence/fetch-from-app.js';
export { giveViewState, readViewState } from '../evidence/view-state.js';
export { explainSilence, scriptErrorFinding, sizeLoop, toBlockedAsset } from './diagnosis.js';
export { createQuietPageWatch } from './quiet-page.js';
export {
  noEvidenceScript,
  storageBlocked,
  toReleaseSkew,
  toSandboxFailure,
  toStorageLasts,
} from './sandbox-failures.js';
export { toStoodStill, toTimeoutFailure } from './step-failures.js';

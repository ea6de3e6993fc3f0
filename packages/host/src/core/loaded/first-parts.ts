/*
 * What comes with the first app of a page: all that acts on an app, from reading its document to its conversation. One
 * file with few names, so that bundlers make one file of it.
 */
export { createFramePlan, toGranted, toHandover } from '../frame/frame-plan.js';
export { findDocument, toFamilyOf } from '../load/find-document.js';
export { finishRead } from '../load/read-resource.js';
export { readWantedEvidence } from '../load/wanted-evidence.js';
export { createLiveSession } from '../session/live-session.js';
export { readToolLink } from './loaded.js';

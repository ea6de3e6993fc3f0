/*
 * What reads the reports of an app's page: of what it does, of what the policy blocked, of errors. A door of its own, since
 * bundlers load what stands behind one together, and most apps have nothing to report.
 */
export { findBlockedLoad, isBlockedEval, isEvalError } from './metadata/blocked-eval.js';
export { parseEvidence } from './parse-evidence.js';

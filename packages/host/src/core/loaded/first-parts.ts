/*
 * What comes with the first app of a page: all that acts on an app, from reading its document to its conversation. One
 * file with few names, so that bundlers make one file of it.
 */
export { createFramePlan, toGranted } from '../frame/frame-plan.js';
export { planAhead } from '../load/plan-ahead.js';
export { createLiveSession } from '../session/live-session.js';
export { finishRead, readToolLink } from './loaded.js';

/*
 * What the parts that are loaded later share with those that are there by then. They import all of it from here, so
 * that a bundler sees one thing they share and makes one file of it, not one for each of them.
 */
export {
  LATEST_PROTOCOL_VERSION,
  isUIResource,
  nextTask,
  readToolLink,
  toPrintable,
} from '@casement/protocol/basics';
export { CasementError, isRecord } from '@casement/protocol/start';
export { isToolCallableBy } from '@casement/protocol/tools';
export { readTask } from '@casement/protocol/wire';
export { toOpaqueAddress } from '@casement/sandbox/address';
export { maxFonts } from '../limits.js';
export { throwCodeMissing } from '../missing-code.js';
export { decideDisplayMode } from '../policy/decide-display-mode.js';
export { allow, refuse, toRefusal } from '../policy/decision.js';
export { createRateLimit, refuseRate } from '../policy/rate-limit.js';
export { toQuoted } from '../policy/to-quoted.js';
export { toDeliverableResult } from '../server/deliverable-result.js';
export { readRenderData } from '../view/family-context.js';

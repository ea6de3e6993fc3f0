/*
 * What the parts that are loaded later share with those that are there by then. They import all of it from here, so
 * that a bundler sees one thing they share and makes one file of it, not one for each of them.
 */
export {
  CasementError,
  LATEST_PROTOCOL_VERSION,
  isRecord,
  isUIResource,
  nextTask,
  readToolLink,
  toPrintable,
} from '@casement/protocol/basics';
export { isToolCallableBy } from '@casement/protocol/tools';
export { toKnownBlock } from '@casement/protocol/consents';
export { readTask } from '@casement/protocol/wire';
export { createPlainPolicy } from '@casement/sandbox/address';
export { createFramePlan, toGranted } from '../frame/frame-plan.js';
export { defaultLimits } from '../limits.js';
export { throwCodeMissing } from '../missing-code.js';
export { toAppResource } from '../load/read-resource.js';
export { decideLink, toLinkRequest } from '../policy/decide-link.js';
export { allow, refuse, toRefusal } from '../policy/decision.js';
export { decideResourceRead, refuseClosing, refuseRate, refuseUnasked, toDenial } from '../policy/policy.js';
export { createRateLimit } from '../policy/rate-limit.js';
export { toQuoted } from '../policy/to-quoted.js';
export { toDeliverableResult } from '../server/server-access.js';
export { readRenderData } from '../view/family-context.js';

/*
 * The conversation with an app as a host or an app leads it: the peer, and what reads the messages it takes. A door of
 * its own, since bundlers load what stands behind one together.
 */
export { findMethod } from './messages/methods.js';
export { readTask } from './messages/parse-values.js';
export { SANDBOX_METHOD_PREFIX } from './messages/sandbox-messages.js';
export { isNotification, isRequest, parseJsonRpcMessage } from './wire/json-rpc.js';
export { createPeer } from './wire/peer.js';

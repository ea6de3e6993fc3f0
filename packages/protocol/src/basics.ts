/*
 * What a page needs besides before an app talks: names and the way to a frame. No schema is reached from here, so a
 * bundler can leave the validators, the peer and the ports to a later load: it loads what stands behind one door together.
 */
export { LATEST_PROTOCOL_VERSION } from './constants.js';
export { errorCodes } from './errors.js';
export { readToolLink } from './metadata/tool-link.js';
export { detectUIType, getUIResourceUri, isUIResource } from './metadata/ui-type.js';
export { toPrintable, type PrintableOptions } from './printable.js';
export { createWindowTransport } from './wire/window-transport.js';
export { nextTask } from './ports/next-task.js';

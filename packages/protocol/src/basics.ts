/*
 * What a page needs before an app talks: names, errors, the recording and the way to a frame. No schema is reached
 * from here, so a bundler can leave the validators, the peer and the ports to a later load: it loads what stands behind one door together.
 */
export { LATEST_PROTOCOL_VERSION, MCP_APP_MIME } from './constants.js';
export { CasementError, errorCodes } from './errors.js';
export { isRecord } from './is-record.js';
export { displayModes } from './messages/display-modes.js';
export { styleVariableNames } from './messages/style-variables.js';
export { readToolLink } from './metadata/tool-link.js';
export { detectUIType, getUIResourceUri, isUIResource } from './metadata/ui-type.js';
export { toPrintable, type PrintableOptions } from './printable.js';
export { createRecording } from './recording/recording.js';
export { createWindowTransport } from './wire/window-transport.js';
export { nextTask } from './ports/next-task.js';

/*
 * What a page needs before it shows an app: errors, the recording and some names. A door of its own, since bundlers load
 * what stands behind one together; `basics` has what the first app needs besides.
 */
export { MCP_APP_MIME } from './constants.js';
export { CasementError } from './errors.js';
export { isRecord } from './is-record.js';
export { displayModes } from './messages/display-modes.js';
export { styleVariableNames } from './messages/style-variables.js';
export { createRecording } from './recording/recording.js';

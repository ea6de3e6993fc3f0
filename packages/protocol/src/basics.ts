/*
 * What a page needs before an app talks: names, errors, the recording and the way to a frame. No schema is reached
 * from here, so a bundler can leave the validators and the peer to a later load; the package's main door has it all.
 */
export * from './constants.js';
export * from './display-modes.js';
export { CasementError, errorCodes } from './errors.js';
export { isRecord } from './is-record.js';
export { toPrintable, type PrintableOptions } from './printable.js';
export { createRecording } from './recording.js';
export { styleVariableNames } from './style-variables.js';
export { isToolVisibleTo, readToolUi } from './tool-metadata.js';
export * from './ui-type.js';
export { createWindowTransport } from './window-transport.js';

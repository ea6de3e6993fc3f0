import type { CallToolResult } from '@casement/protocol';
import { isRecord } from '@casement/protocol/start';
import type { SessionRecorder } from '../state/session-recorder.js';

/** The result as official views take it: they refuse a whole result whose structuredContent is not an object. */
export const toDeliverableResult = (
  result: CallToolResult,
  recorder: Pick<SessionRecorder, 'note'>,
): CallToolResult => {
  const { structuredContent, ...rest } = result;
  if (structuredContent === undefined || isRecord(structuredContent)) return result;
  recorder.note('finding', {
    code: 'structured-content-type',
    message: 'structuredContent of the tool result is not an object and was left out.',
    fix: 'Return an object, for example { items: [ … ] }.',
  });
  return rest;
};

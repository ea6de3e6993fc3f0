import type { ParamsOf } from '@casement/protocol';
import { throwCodeMissing } from '../missing-code.js';
import type { SessionOptions } from '../session-options.js';

/** What a loader is told besides the app, where it shall not report what every loader does: errors. */
export type WantedEvidence = Pick<
  ParamsOf<'ui/notifications/sandbox-resource-ready'>,
  'evidence' | 'evidenceScript'
>;

/** Reads it; the script that reports in full is there before any app is handed over that shall run with it. */
export const readWantedEvidence = async ({
  evidence,
  evidenceScript,
}: SessionOptions): Promise<WantedEvidence> => {
  if (evidence === 'none') return { evidence };
  if (evidence !== 'full' || !evidenceScript) return {};
  const isText = typeof evidenceScript === 'string';
  return {
    evidence,
    evidenceScript: isText ? evidenceScript : await evidenceScript().catch(throwCodeMissing),
  };
};

import type { DoctorReport } from '@casement/checks/doctor';
import type { SessionFailure } from '@casement/host';
import { toPrintable } from '@casement/protocol/basics';
import { stageNames } from './stage-words.js';

const maxChars = 600;

/** Why an app cannot be shown, for a place that has text alone: stage, what was seen, cause and fix, a line each. */
export const toProblemText = (
  { message, hint }: SessionFailure,
  report: DoctorReport | undefined,
): string => {
  const failed = report?.stages.find(({ stage }) => stage === report.failed);
  if (!failed) return hint === undefined ? message : `${message} ${hint}`;
  const { stage, seen, cause, fix } = failed;
  const lines = [
    ['Failed stage', stageNames[stage]],
    ['Seen', seen],
    ['Likely cause', cause],
    ['Fix', fix],
  ] as const;
  return lines
    .flatMap(([name, text]) =>
      text === undefined || text === '' ? [] : [`${name}: ${toPrintable(text, maxChars)}`],
    )
    .join('\n');
};

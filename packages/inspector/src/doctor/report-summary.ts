import type { DoctorReport, StageReport } from '@casement/checks/doctor';
import { toDuration } from '../parts/quantity.js';
import { stageNames } from './stage-words.js';

/** The one line about an app that is always there. */
export interface ReportSummary {
  readonly text: string;
  /** `quiet` while nothing is wrong, and nothing was found that is more than a remark. */
  readonly tone: 'quiet' | 'doubtful' | 'failed';
}

const toCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The stage that a person should look at first: the one that failed, or else the first that is doubtful. */
export const findTrouble = ({ stages, failed }: DoctorReport): StageReport | undefined =>
  stages.find(({ stage }) => stage === failed) ?? stages.find(({ verdict }) => verdict === 'doubtful');

/** Says in one line how far an app is, and what stands in its way. */
export const toSummary = (report: DoctorReport): ReportSummary => {
  const { stages, findings } = report;
  const passed = stages.filter(({ verdict }) => verdict === 'passed').length;
  const rest = stages.filter(({ verdict }) => verdict === 'unknown').length;
  const counted = findings.filter(({ severity }) => severity !== 'note').length;
  const parts = [
    `${passed} of ${stages.length} stages passed`,
    ...(rest > 0 ? [`${rest} not known`] : []),
    ...(counted > 0 ? [toCount(counted, 'finding')] : []),
  ];
  const trouble = findTrouble(report);
  if (!trouble) {
    const waiting = stages.find(({ verdict }) => verdict === 'waiting');
    const now = waiting ? [`${stageNames[waiting.stage]} is under way`] : [];
    const tone = counted > 0 ? 'doubtful' : 'quiet';
    return { text: [...parts.slice(0, 1), ...now, ...parts.slice(1)].join(' · '), tone };
  }
  const isFailed = trouble.verdict === 'failed';
  const head = `${stageNames[trouble.stage]} ${isFailed ? 'failed' : 'needs a look'}`;
  return { text: [head, ...parts].join(' · '), tone: isFailed ? 'failed' : 'doubtful' };
};

/** When a stage ended, counted from the moment the app was asked for. */
export const toStageTime = ({ ms }: StageReport): string | undefined =>
  ms === undefined ? undefined : toDuration(Math.max(0, ms));

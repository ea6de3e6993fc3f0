import type { AppFacts, SeenFailure, SeenTimes } from './doctor-facts.js';
import { toFailureAdvice } from './failure-advice.js';
import type { DoctorStage, StageReport } from './report.js';

/** What a stage says besides its name. */
type Words = Pick<StageReport, 'seen' | 'cause' | 'fix' | 'place'>;

/** The milestones of an app, and what is said of one stage on the way. */
export interface StageWriter {
  passed(seen: string, at?: keyof SeenTimes): StageReport;
  doubtful(words: Words, witness?: StageReport['witness'], at?: keyof SeenTimes): StageReport;
  failed(failure: SeenFailure): StageReport;
  /** The app goes on, and lost something. */
  troubled(failure: SeenFailure): StageReport;
  waiting(seen: string): StageReport;
  open(): StageReport;
  unknown(seen: string): StageReport;
}

const toMs = (times: SeenTimes | undefined, at: keyof SeenTimes | undefined): { ms?: number } => {
  const [from, to] = [times?.started, at === undefined ? undefined : times?.[at]];
  return from === undefined || to === undefined ? {} : { ms: Math.max(0, Math.round(to - from)) };
};

const nobody = { status: 'failed', violations: [], scriptErrors: [] } as const;

/** What can be said of one stage. */
export const toStageWriter = (stage: DoctorStage, app: AppFacts | undefined): StageWriter => {
  const write = (
    verdict: StageReport['verdict'],
    words: Words,
    witness: StageReport['witness'] = 'host',
    at?: keyof SeenTimes,
  ): StageReport => ({ stage, verdict, witness, ...words, ...toMs(app?.times, at) });
  const toWords = (failure: SeenFailure): Words => {
    const { cause, fix } = toFailureAdvice(failure, app ?? nobody);
    return { seen: failure.message, ...(cause !== '' && { cause }), ...(fix !== '' && { fix }) };
  };
  return {
    passed: (seen, at) => write('passed', { seen }, 'host', at),
    doubtful: (words, witness, at) => write('doubtful', words, witness, at),
    failed: (failure) => write('failed', toWords(failure)),
    troubled: (failure) => write('doubtful', toWords(failure)),
    waiting: (seen) => write('waiting', { seen }),
    open: () => write('open', { seen: 'Not reached.' }),
    unknown: (seen) => write('unknown', { seen }),
  };
};

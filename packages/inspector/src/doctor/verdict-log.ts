import type { DoctorReport, StageReport } from '@casement/checks/doctor';
import type { Recording } from '@casement/protocol';

/** Writes each verdict that changed into a recording. */
export interface VerdictLog {
  follow(session: string, epoch: number, report: DoctorReport): void;
}

/** An app whose verdicts go to and fro has said enough. */
const maxEntries = 100;
const maxSessions = 200;

/** What was said of a stage is another thing only when its verdict or its cause is. */
const toKey = ({ verdict, cause = '', fix = '' }: StageReport): string =>
  JSON.stringify([verdict, cause, fix]);

/** What need not be written as the first of a stage: it has not ended, or nobody looks. */
const isSilent = ({ verdict }: StageReport): boolean => ['open', 'unknown', 'waiting'].includes(verdict);

/** Creates the memory of what was written about each session; the oldest sessions are forgotten. */
export const createVerdictLog = (recording: Pick<Recording, 'append'>): VerdictLog => {
  const sessions = new Map<string, { readonly said: Map<string, string>; left: number }>();
  const toMemory = (session: string) => {
    const known = sessions.get(session) ?? { said: new Map<string, string>(), left: maxEntries };
    sessions.set(session, known);
    const [oldest] = sessions.keys();
    if (sessions.size > maxSessions && oldest !== undefined) sessions.delete(oldest);
    return known;
  };
  return {
    follow: (session, epoch, { stages }) => {
      const memory = toMemory(session);
      for (const report of stages) {
        const { stage, verdict, ms, witness, seen, cause, fix } = report;
        const key = toKey(report);
        const last = memory.said.get(stage);
        if (memory.left === 0 || key === last || (last === undefined && isSilent(report))) continue;
        memory.said.set(stage, key);
        memory.left -= 1;
        const more = { ...(ms === undefined ? {} : { ms }), witness, seen };
        const advice = { ...(cause === undefined ? {} : { cause }), ...(fix === undefined ? {} : { fix }) };
        recording.append({
          ...{ session, epoch, leg: 'none', dir: 'none', kind: 'lifecycle' },
          raw: { type: 'doctor', stage, verdict, ...more, ...advice },
        });
      }
    },
  };
};

import type { DoctorFinding, DoctorReport, StageReport } from '@casement/checks/doctor';
import type { AppSnapshot } from '@casement/host';
import type { Recording } from '@casement/protocol';

/** Writes each verdict that changed, and each finding when it is told first, into a recording. */
export interface VerdictLog {
  follow(app: FollowedApp, report: DoctorReport): void;
}

/** What was found by the host is in its own part of the recording. */
type FollowedApp = Pick<AppSnapshot, 'session' | 'epoch' | 'findings'>;

/**
 * An app whose verdicts go to and fro has said enough; so has one of which more and more is found. What host and browser
 * saw has room of its own, so that an app that goes on talking does not keep it out.
 */
const maxEntries = 100;
const maxSessions = 200;

/** What was said of a stage is another thing only when its verdict or its cause is. */
const toKey = ({ verdict, cause = '', fix = '' }: StageReport): string =>
  JSON.stringify([verdict, cause, fix]);

/** What need not be written as the first of a stage: it has not ended, or nobody looks. */
const isSilent = ({ verdict }: StageReport): boolean => ['open', 'unknown', 'waiting'].includes(verdict);

type Writer = 'app' | 'others';

/** What was written about one session. */
interface Memory {
  readonly said: Map<string, string>;
  readonly left: Record<Writer, number>;
  readonly found: Record<Writer, Set<string>>;
}

const createMemory = (): Memory => ({
  said: new Map(),
  left: { app: maxEntries, others: maxEntries },
  found: { app: new Set(), others: new Set() },
});

const toWriter = (witness: StageReport['witness']): Writer => (witness === 'app' ? 'app' : 'others');

const toFindingKey = ({ code, message, path }: Pick<DoctorFinding, 'code' | 'message' | 'path'>): string =>
  JSON.stringify([code, message, path]);

/** Creates the memory of what was written about each session; the oldest sessions are forgotten. */
export const createVerdictLog = (recording: Pick<Recording, 'append'>): VerdictLog => {
  const sessions = new Map<string, Memory>();
  const toMemory = (session: string): Memory => {
    const known = sessions.get(session) ?? createMemory();
    sessions.set(session, known);
    const [oldest] = sessions.keys();
    if (sessions.size > maxSessions && oldest !== undefined) sessions.delete(oldest);
    return known;
  };
  const followStages = (
    { session, epoch }: FollowedApp,
    memory: Memory,
    stages: DoctorReport['stages'],
  ): void => {
    for (const report of stages) {
      const { stage, verdict, ms, witness, seen, cause, fix } = report;
      const key = toKey(report);
      const last = memory.said.get(stage);
      const writer = toWriter(witness);
      if (memory.left[writer] === 0 || key === last || (last === undefined && isSilent(report))) continue;
      memory.said.set(stage, key);
      memory.left[writer] -= 1;
      const more = { ...(ms === undefined ? {} : { ms }), witness, seen };
      const advice = { ...(cause === undefined ? {} : { cause }), ...(fix === undefined ? {} : { fix }) };
      recording.append({
        ...{ session, epoch, leg: 'none', dir: 'none', kind: 'lifecycle' },
        raw: { type: 'doctor', stage, verdict, ...more, ...advice },
      });
    }
  };
  const followFindings = (
    { session, epoch, findings: ofHost }: FollowedApp,
    { found }: Memory,
    findings: DoctorReport['findings'],
  ): void => {
    const known = new Set(ofHost.map(toFindingKey));
    // The host writes each script error down with another word for its place.
    const hasErrors = ofHost.some(({ code }) => code === 'script-error');
    for (const finding of findings) {
      const key = toFindingKey(finding);
      const isWritten = known.has(key) || (hasErrors && finding.code === 'script-error');
      const written = found[toWriter(finding.witness)];
      if (written.size >= maxEntries || written.has(key) || isWritten) continue;
      written.add(key);
      const { code, stage, severity, witness, message, fix, path } = finding;
      const about = path === undefined ? {} : { path };
      recording.append({
        ...{ session, epoch, leg: 'none', dir: 'none', kind: 'finding' },
        raw: { type: 'doctor', code, stage, severity, witness, message, fix, ...about },
      });
    }
  };
  return {
    follow: (app, { stages, findings }) => {
      const memory = toMemory(app.session);
      followStages(app, memory, stages);
      followFindings(app, memory, findings);
    },
  };
};

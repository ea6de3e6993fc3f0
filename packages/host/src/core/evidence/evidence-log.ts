import { parseEvidence } from '@casement/protocol/reports';
import type { AppEvidence, EvidenceLog } from '@casement/protocol';
import { createRateLimit } from '../loaded/loaded.js';
import type { SessionRecorder } from '../state/session-recorder.js';
import type { SessionStore } from '../state/session-store.js';

/*
 * Keeps what an app's page reports of itself. The app can forge all of it, so nothing here ends a session, asks a
 * question or touches what the host and the browser saw; a flood of one kind makes room among its own kind alone (T14).
 */

/** How many reports of each kind are kept: of the first four the first ones, of the others the latest. */
const most: Readonly<Record<AppEvidence['kind'], number>> = {
  'load-failed': 100,
  api: 60,
  painted: 5,
  'long-task': 50,
  layout: 30,
  console: 500,
};
const keepsFirst: ReadonlySet<AppEvidence['kind']> = new Set(['load-failed', 'api', 'painted']);

/** What a session's recording takes of them, so that an app that logs all day does not push everything else out. */
const recorded = { burst: 1000, ms: 60_000 };

/** Takes the reports of one session. */
export interface EvidenceKeeper {
  take(params: { readonly items: readonly unknown[]; readonly left?: number | undefined }): void;
}

/** Makes what keeps the reports, for all documents of a session; what a new document begins with is in the snapshot. */
export const createEvidenceKeeper = (
  store: Pick<SessionStore, 'getSnapshot' | 'update'>,
  recorder: Pick<SessionRecorder, 'note'>,
): EvidenceKeeper => {
  const limit = createRateLimit(recorded.burst, recorded.ms);

  return {
    take({ items, left = 0 }) {
      const { evidence, times } = store.getSnapshot();
      const now = Date.now();
      const reports: AppEvidence[] = [];
      for (const item of items) {
        const read = parseEvidence(item);
        if (!read) continue;
        // By the page's own clock, which says anything: never before the app nor after now.
        const kept = { ...read, at: Math.min(now, Math.max(read.at, times.started ?? 0)) };
        if (limit.take()) recorder.note('evidence', { ...kept, source: 'guest' });
        reports.push(kept);
      }
      const log = addReports(evidence, reports);
      store.update({ evidence: { ...log, left: log.left + left + items.length - reports.length } });
    },
  };
};

/** The log with more reports; a line like the last line is counted there. The log is walked once, however many they are. */
const addReports = (log: EvidenceLog, reports: readonly AppEvidence[]): EvidenceLog => {
  const items = [...log.items];
  const counts = new Map<AppEvidence['kind'], number>();
  let lastLine = -1;
  items.forEach(({ kind }, index) => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (kind === 'console') lastLine = index;
  });
  let { left } = log;
  for (const item of reports) {
    const { kind } = item;
    const count = counts.get(kind) ?? 0;
    const last = items[lastLine];
    if (item.kind === 'console' && last?.kind === 'console' && isSameLine(last, item)) {
      items[lastLine] = { ...last, count: (last.count ?? 1) + (item.count ?? 1) };
    } else if (keepsFirst.has(kind) && count >= most[kind]) left += 1;
    else {
      counts.set(kind, count + 1);
      items.push(item);
      if (kind === 'console') lastLine = items.length - 1;
    }
  }
  const kept = items.filter(({ kind }) => {
    const count = counts.get(kind) ?? 0;
    if (count <= most[kind]) return true;
    // The oldest of its kind makes room.
    counts.set(kind, count - 1);
    return false;
  });
  return { ...log, items: kept, left: left + items.length - kept.length };
};

type ConsoleLine = AppEvidence & { readonly kind: 'console' };

const isSameLine = (a: ConsoleLine, b: ConsoleLine): boolean => toLine(a) === toLine(b);

const toLine = ({ level, values, sourceFile, line, column }: ConsoleLine): string =>
  JSON.stringify([level, values, sourceFile, line, column]);

import type { RecordingEntry } from './parse-recording.js';

/** Joins logs of several writers by time, keeping each log's own order and dropping repeated entries. */
export const mergeRecordings = (...logs: readonly (readonly RecordingEntry[])[]): RecordingEntry[] => {
  const seen = new Set<string>();
  return logs
    .flatMap((log) => {
      // A clock set back must not reorder what one writer numbered.
      let latest = -Infinity;
      return log.map((entry) => ({ entry, at: (latest = Math.max(latest, entry.t)) }));
    })
    .sort((a, b) => a.at - b.at)
    .map(({ entry }) => entry)
    .filter(({ writer, session, seq, t }) => {
      const key = JSON.stringify([writer, session, seq, t]);
      return !seen.has(key) && seen.add(key);
    });
};

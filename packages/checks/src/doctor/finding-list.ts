import type { DoctorFinding } from './report.js';

/** Collects findings: each once, and no more than anybody reads. */
export interface FindingList {
  add(finding: DoctorFinding): void;
  all(): DoctorFinding[];
}

/** Of what the app says of itself fewer are kept, so that it cannot crowd out what host and browser saw. */
const most = { host: 60, browser: 30, app: 40 };

const ranks = { error: 0, warning: 1, note: 2 };

/** Creates an empty list of findings. */
export const createFindingList = (): FindingList => {
  const known = new Map<string, DoctorFinding>();
  const left = { ...most };
  return {
    add(finding) {
      // What is seen twice, in the document and while it loads, is told once.
      const isOnce = finding.code === 'relative-address';
      const key = JSON.stringify([finding.code, finding.path, isOnce ? '' : finding.message]);
      if (left[finding.witness] === 0 || known.has(key)) return;
      left[finding.witness] -= 1;
      known.set(key, finding);
    },
    /** The gravest first; the sort is stable, so the rest stays in the order it was seen. */
    all: () => [...known.values()].sort((a, b) => ranks[a.severity] - ranks[b.severity]),
  };
};

import type { AppEvidence, EvidenceLog } from '@casement/protocol';
import type { AppFacts, SeenTimes } from './doctor-facts.js';
import type { DoctorFinding } from './report.js';

type Layout = Extract<AppEvidence, { kind: 'layout' }>;

/** What the app's page says of what it shows. */
export interface Painting {
  /** When something was drawn for the first time. */
  readonly at?: number;
  readonly layout?: Layout;
  /** The page has had the time to show what it was given, and shows nothing. */
  readonly isEmpty: boolean;
}

/** An app that draws nothing for this long after it has all it gets is taken to be empty. */
const settledMs = 1_000;

/** Reads from the evidence whether something is on the screen; undefined where nobody looked. */
export const readPainting = ({ mode, items }: EvidenceLog, times: SeenTimes = {}): Painting | undefined => {
  if (mode !== 'full') return undefined;
  const painted = items.find(({ kind }) => kind === 'painted');
  const layout = items.findLast((item) => item.kind === 'layout');
  const fed = Math.max(times.ready ?? 0, times.result ?? 0);
  return {
    ...(painted && { at: painted.at }),
    ...(layout && { layout }),
    isEmpty: layout?.boxes === 0 && fed > 0 && layout.at >= fed + settledMs,
  };
};

/** The width that the narrowest places of hosts have. */
const slack = 1;

/** What is wrong with the look of the app, as far as its page says it. */
export const findLayoutFindings = (evidence: EvidenceLog, app: Pick<AppFacts, 'times'>): DoctorFinding[] => {
  const painting = readPainting(evidence, app.times);
  const { layout } = painting ?? {};
  if (!painting || !layout) return [];
  const findings: DoctorFinding[] = [];
  if (layout.contentWidth > layout.width + slack && layout.width > 0) {
    findings.push({
      code: 'too-wide',
      stage: 'painted',
      severity: 'warning',
      witness: 'app',
      message: `The content is ${Math.round(layout.contentWidth)} px wide in a frame of ${Math.round(layout.width)} px: a part of it cannot be seen without scrolling sideways.`,
      fix: 'Let it shrink: no fixed widths (max-width: 100%, box-sizing: border-box, min-width: 0 in grids and flex boxes), and overflow-x: auto on what must stay wide.',
    });
  }
  if (painting.isEmpty) {
    findings.push({
      code: 'empty-app',
      stage: 'painted',
      severity: 'error',
      witness: 'app',
      message:
        'The app is ready and shows nothing: no element of it has text, a picture, a background or a border.',
      fix: 'Look at the failed loads and script errors; draw something before the result is there, and show what is wrong when it is not as expected.',
    });
  }
  return findings;
};

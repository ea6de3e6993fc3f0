import type { AppEvidence, EvidenceLog } from '@casement/protocol';
import type { SeenTimes } from './doctor-facts.js';
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
export const settledMs = 1_000;

/** Reads from the evidence whether something is on the screen; undefined where nobody looked. */
export const readPainting = (
  { mode, items }: EvidenceLog,
  { ready, result }: SeenTimes = {},
  now = 0,
): Painting | undefined => {
  if (mode !== 'full') return undefined;
  const painted = items.find(({ kind }) => kind === 'painted');
  const layout = items.findLast((item) => item.kind === 'layout');
  // An app that waits for its result may show nothing yet.
  const isFed = ready !== undefined && result !== undefined;
  const isLate = isFed && Math.max(layout?.at ?? 0, now) >= Math.max(ready, result) + settledMs;
  return {
    ...(painted && { at: painted.at }),
    ...(layout && { layout }),
    isEmpty: isLate && layout?.boxes === 0,
  };
};

/** Rounding alone makes a page a pixel wider than its frame. */
const slack = 1;

/** What is wrong with the look of the app, as far as its page says it. */
export const findLayoutFindings = (painting: Painting): DoctorFinding[] => {
  const { layout } = painting;
  if (!layout) return [];
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

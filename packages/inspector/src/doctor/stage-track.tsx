import './doctor.css';
import type { DoctorReport, StageReport } from '@casement/checks/doctor';
import { findTrouble } from './report-summary.js';
import { stageMeanings, stageNames, verdictMarks, verdictWords } from './stage-words.js';

const isCurrent = (report: StageReport, trouble: StageReport | undefined): boolean =>
  trouble ? report === trouble : report.verdict === 'waiting';

/** The eight stages from a tool to something on the screen, in a row: how each went. */
export const StageTrack = ({ report }: { report: DoctorReport }) => {
  const trouble = findTrouble(report);
  return (
    <ol className="track" aria-label="Stages">
      {report.stages.map((one) => (
        <li
          key={one.stage}
          data-verdict={one.verdict}
          title={stageMeanings[one.stage]}
          aria-current={isCurrent(one, trouble) ? 'step' : undefined}
        >
          <span className="track-mark" aria-hidden="true">
            {verdictMarks[one.verdict]}
          </span>
          {stageNames[one.stage]}
          <span className="unseen"> {verdictWords[one.verdict]}</span>
        </li>
      ))}
    </ol>
  );
};

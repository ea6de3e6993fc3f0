import './doctor.css';
import type { DoctorReport, StageReport } from '@casement/checks/doctor';
import { toPrintable } from '@casement/protocol/basics';
import { ShowSource } from '../source/show-source.js';
import { AdviceList } from './advice-list.js';
import { toStageTime } from './report-summary.js';
import { stageMeanings, stageNames, verdictMarks, verdictWords, witnessWords } from './stage-words.js';

const isFine = ({ verdict, fix }: StageReport): boolean =>
  verdict !== 'failed' && verdict !== 'doubtful' && !fix;

/** Whether somebody has seen how it went. */
const isOver = (verdict: StageReport['verdict']): boolean =>
  verdict === 'passed' || verdict === 'doubtful' || verdict === 'failed';

const StageItem = ({ report }: { report: StageReport }) => {
  const { stage, verdict, seen, cause, fix, place, witness } = report;
  const time = toStageTime(report);
  return (
    <li data-verdict={verdict} aria-label={`${stageNames[stage]}: ${verdictWords[verdict]}`}>
      <div className="stage-head">
        <span className="track-mark" aria-hidden="true">
          {verdictMarks[verdict]}
        </span>
        <h4 title={stageMeanings[stage]}>{stageNames[stage]}</h4>
        <span className="stage-verdict">
          {verdictWords[verdict]}
          {isOver(verdict) && `, ${witnessWords[witness]}`}
        </span>
        {time !== undefined && <span className="stage-time">after {time}</span>}
      </div>
      {isFine(report) ? (
        verdict !== 'open' && <p className="stage-seen">{toPrintable(seen, 600)}</p>
      ) : (
        <AdviceList seen={seen} cause={cause} fix={fix} />
      )}
      {place && <ShowSource place={place} />}
    </li>
  );
};

/** Every stage with its time, what was seen and, where something is wrong, why and what to do. */
export const StageReports = ({ report }: { report: DoctorReport }) => (
  <ol className="stage-reports" aria-label="Stages">
    {report.stages.map((one) => (
      <StageItem key={one.stage} report={one} />
    ))}
  </ol>
);

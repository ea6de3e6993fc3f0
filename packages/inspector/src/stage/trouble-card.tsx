import type { DoctorReport } from '@casement/checks/doctor';
import type { AppSnapshot } from '@casement/host';
import { AdviceList } from '../doctor/advice-list.js';
import { findTrouble } from '../doctor/report-summary.js';
import { StageTrack } from '../doctor/stage-track.js';
import { stageNames, verdictWords, witnessSentences } from '../doctor/stage-words.js';
import { ShowSource } from '../source/show-source.js';
import { useInspector } from '../use-inspector.js';

/** An app that is still under way, or goes on, and has a stage that is not as it should be; it goes when the stage is well. */
export const TroubleCard = ({ report, snapshot }: { report: DoctorReport; snapshot: AppSnapshot }) => {
  const { settings } = useInspector();
  const trouble = findTrouble(report);
  if (!trouble) return null;
  const { stage, verdict, witness, seen, cause, fix, place } = trouble;
  return (
    <section className="failure" data-ended="false" data-verdict={verdict} aria-label="What the doctor sees">
      <h2>
        {stageNames[stage]}: {verdictWords[verdict]}
      </h2>
      {snapshot.status !== 'ready' && <StageTrack report={report} />}
      <AdviceList seen={seen} cause={cause} fix={fix} />
      {place && <ShowSource place={place} />}
      <div className="actions">
        <button type="button" onClick={() => settings.change({ tab: 'state', pane: 'inspect' })}>
          Show all stages
        </button>
        <span className="quiet">{witnessSentences[witness]}</span>
      </div>
    </section>
  );
};

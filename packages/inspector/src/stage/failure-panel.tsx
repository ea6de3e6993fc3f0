import type { DoctorReport } from '@casement/checks/doctor';
import { toFailureAdvice } from '@casement/checks/doctor';
import type { AppSnapshot, SessionFailure } from '@casement/host';
import { AdviceList } from '../doctor/advice-list.js';
import { StageTrack } from '../doctor/stage-track.js';
import { ShowSource } from '../source/show-source.js';
import { useInspector } from '../use-inspector.js';

/** What can be done about it at once; the same controls are in the toolbar, but nobody should have to look for them. */
const NextSteps = ({ code, ended }: { code: SessionFailure['code']; ended: boolean }) => {
  const { stage } = useInspector();
  if (!ended && code !== 'app-not-responding') return null;
  return (
    <div className="actions">
      {!ended && (
        <button type="button" onClick={() => stage.stop()}>
          Stop the app
        </button>
      )}
      <button type="button" onClick={() => stage.reload()}>
        {ended ? 'Try again' : 'Reload it'}
      </button>
    </div>
  );
};

/** Says which stage failed, what was seen, why that probably was and what to do about it. */
export const FailurePanel = ({
  failure,
  snapshot,
  report,
}: {
  failure: SessionFailure;
  snapshot: AppSnapshot;
  report: DoctorReport | undefined;
}) => {
  const { title, cause, fix } = toFailureAdvice(failure, snapshot);
  const ended = snapshot.status === 'failed';
  const [error] = snapshot.scriptErrors;
  const failed = ended ? report?.stages.find(({ stage }) => stage === report.failed) : undefined;
  return (
    <div className="failure" role="alert" data-ended={ended}>
      <h2>{title}</h2>
      {ended && report && <StageTrack report={report} />}
      <AdviceList {...(failed ?? { seen: failure.message, cause, fix })} />
      {failure.code === 'script-error' && error && <ShowSource place={error} atOnce />}
      <code>{failure.code}</code>
      <NextSteps code={failure.code} ended={ended} />
    </div>
  );
};

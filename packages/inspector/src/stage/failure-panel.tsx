import type { AppSnapshot, SessionFailure } from '@casement/host';
import type { SessionStep } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import { ShowSource } from '../source/show-source.js';
import { sessionSteps, toFailureAdvice } from './failure-advice.js';
import { useInspector } from '../use-inspector.js';

const StepTrack = ({ failed }: { failed: SessionStep }) => {
  const failedAt = sessionSteps.findIndex(([step]) => step === failed);
  const toOutcome = (index: number): string => {
    if (index === failedAt) return 'failed';
    return index < failedAt ? 'done' : 'open';
  };
  return (
    <ol className="track" aria-label="Steps">
      {sessionSteps.map(([step, name], index) => (
        <li key={step} data-outcome={toOutcome(index)} aria-current={index === failedAt ? 'step' : undefined}>
          {name}
          <span className="unseen"> {toOutcome(index)}</span>
        </li>
      ))}
    </ol>
  );
};

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

/** Says which step failed, what was seen, why that probably was and what to do about it. */
export const FailurePanel = ({ failure, snapshot }: { failure: SessionFailure; snapshot: AppSnapshot }) => {
  const { title, cause, fix } = toFailureAdvice(failure, snapshot);
  const ended = snapshot.status === 'failed';
  const [error] = snapshot.scriptErrors;
  const parts = [
    ['Seen', failure.message],
    ['Likely cause', cause],
    ['Fix', fix],
  ].filter(([, text]) => text);
  return (
    <div className="failure" role="alert" data-ended={ended}>
      <h2>{title}</h2>
      {ended && <StepTrack failed={failure.step} />}
      <dl>
        {parts.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{toPrintable(text ?? '', 1_500, { lines: 'keep' })}</dd>
          </div>
        ))}
      </dl>
      {failure.code === 'script-error' && error && <ShowSource place={error} atOnce />}
      <code>{failure.code}</code>
      <NextSteps code={failure.code} ended={ended} />
    </div>
  );
};

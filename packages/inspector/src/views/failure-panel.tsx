import type { AppSnapshot, SessionFailure } from '@casement/host';
import type { SessionStep } from '@casement/protocol';
import { steps, toFailureAdvice } from '../failure-advice.js';
import { toPrintable } from '../printable-text.js';

const StepTrack = ({ failed }: { failed: SessionStep }) => {
  const failedAt = steps.findIndex(([step]) => step === failed);
  const toOutcome = (index: number): string => {
    if (index === failedAt) return 'failed';
    return index < failedAt ? 'done' : 'open';
  };
  return (
    <ol className="track" aria-label="Steps">
      {steps.map(([step, name], index) => (
        <li key={step} data-outcome={toOutcome(index)} aria-current={index === failedAt ? 'step' : undefined}>
          {name}
          <span className="unseen"> {toOutcome(index)}</span>
        </li>
      ))}
    </ol>
  );
};

/** Says which step failed, what was seen, why that probably was and what to do about it. */
export const FailurePanel = ({ failure, snapshot }: { failure: SessionFailure; snapshot: AppSnapshot }) => {
  const { title, cause, fix } = toFailureAdvice(failure, snapshot);
  const ended = snapshot.status === 'failed';
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
            <dd>{toPrintable(text ?? '', 1_500)}</dd>
          </div>
        ))}
      </dl>
      <code>{failure.code}</code>
    </div>
  );
};

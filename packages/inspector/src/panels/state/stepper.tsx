import type { AppSnapshot } from '@casement/host';
import { toPrintable } from '@casement/protocol/basics';
import type { StepOutcome } from './session-steps.js';
import { toSteps } from './session-steps.js';

const words: Record<StepOutcome, string> = {
  done: 'done',
  active: 'under way',
  failed: 'failed',
  open: 'not reached',
};

const marks: Record<StepOutcome, string> = { done: '✓', active: '●', failed: '✕', open: '○' };

/** The way from the resource to a running app, with the step it is at or failed in. */
export const Stepper = ({ snapshot }: { snapshot: AppSnapshot }) => {
  const { failure, status } = snapshot;
  return (
    <>
      <ol className="stepper" aria-label="Steps">
        {toSteps(snapshot).map(({ step, name, outcome }) => (
          <li
            key={step}
            data-outcome={outcome}
            {...(outcome === 'active' || outcome === 'failed' ? { 'aria-current': 'step' } : {})}
          >
            <span className="step-mark" aria-hidden="true">
              {marks[outcome]}
            </span>
            {name}
            <span className="unseen">
              {' '}
              {step === 'running' && outcome === 'active' ? 'now' : words[outcome]}
            </span>
          </li>
        ))}
      </ol>
      {failure && (
        <div className="panel-problem" data-ended={status === 'failed'}>
          <p>
            <code>{failure.code}</code> {toPrintable(failure.message, 600)}
          </p>
          {failure.hint !== undefined && <p>{toPrintable(failure.hint, 600)}</p>}
        </div>
      )}
    </>
  );
};

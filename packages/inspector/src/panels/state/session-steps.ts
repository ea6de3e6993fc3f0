import type { AppSnapshot } from '@casement/host';
import type { SessionStep } from '@casement/protocol';
import { sessionSteps } from '../../stage/failure-advice.js';

/** How far a step is. */
export type StepOutcome = 'done' | 'active' | 'failed' | 'open';

/** One step on the way from a tool to a running app. */
export interface StepState {
  readonly step: SessionStep;
  readonly name: string;
  readonly outcome: StepOutcome;
}

const indexOf = (step: SessionStep): number => sessionSteps.findIndex(([name]) => name === step);

/**
 * The first and the last step that may be under way: a snapshot cannot tell whether a document still loads or is
 * silent.
 */
const toActive = (snapshot: AppSnapshot): readonly [SessionStep, SessionStep] | undefined => {
  switch (snapshot.status) {
    case 'loading':
      return ['resource', 'resource'];
    case 'sandbox':
      return ['sandbox', 'sandbox'];
    case 'handshake':
      return snapshot.appInfo ? ['initialized', 'initialized'] : ['html', 'handshake'];
    case 'ready':
      return ['running', 'running'];
    default:
      return undefined;
  }
};

/** What an ended session had reached, read from what it left behind. */
const toReached = (snapshot: AppSnapshot): number => {
  if (snapshot.status === 'idle') return 0;
  if (snapshot.appInfo) return sessionSteps.length;
  if (snapshot.resource) return indexOf('sandbox');
  return 0;
};

/** The six steps with how far each is. */
export const toSteps = (snapshot: AppSnapshot): StepState[] => {
  const { status, failure } = snapshot;
  const failedAt =
    status === 'failed' && failure ? indexOf(failure.step === 'teardown' ? 'running' : failure.step) : -1;
  const active = toActive(snapshot);
  const [from, to] = active ? active.map(indexOf) : [];
  const reached = failedAt >= 0 ? failedAt : (from ?? toReached(snapshot));
  return sessionSteps.map(([step, name], index) => {
    if (index === failedAt) return { step, name, outcome: 'failed' };
    if (index < reached) return { step, name, outcome: 'done' };
    return { step, name, outcome: failedAt < 0 && to !== undefined && index <= to ? 'active' : 'open' };
  });
};

import type { MetadataFinding } from '@casement/protocol';
import { CasementError } from '@casement/protocol/start';
import type { SessionFailure } from './session-state.js';
import type { AppSnapshot, AppTimes } from './app-snapshot.js';
import { milestones } from './app-snapshot.js';
import type { SessionRecorder } from './session-recorder.js';
import type { SessionEvent, SessionState } from './session-state.js';
import { initialState, transition } from './session-state.js';

/** What a snapshot shows besides the state. */
export type SessionDetails = Omit<AppSnapshot, 'status' | 'epoch' | 'failure' | 'session' | 'eviction'>;

/** The one place where a session changes. */
export interface SessionStore {
  readonly state: SessionState;
  /** False when the event did not fit and nothing happened. */
  dispatch(event: SessionEvent): boolean;
  update(details: Partial<SessionDetails>): void;
  /** The app came to one of its steps: the first time in an epoch counts. */
  reach(milestone: keyof AppTimes): void;
  /** Ends the session because of an error that stopped its loading. */
  failWith(error: unknown): void;
  /** Adds a finding for the author of the app; one that is known is not added again. */
  addFinding(finding: MetadataFinding): void;
  getSnapshot(): AppSnapshot;
  subscribe(listener: () => void): () => void;
}

// An app can ask for a thousand different things it may not have; the first ones tell enough.
const maxFindings = 50;

/** Makes a store in the initial state; `onTransition` does what a change of state entails. */
export const createSessionStore = (options: {
  readonly session: string;
  readonly details: SessionDetails;
  readonly recorder: SessionRecorder;
  onTransition(previous: SessionState, state: SessionState, event: SessionEvent): void;
}): SessionStore => {
  const listeners = new Set<() => void>();
  let state = initialState;
  let details = options.details;
  let snapshot: AppSnapshot | undefined;

  const changed = (): void => {
    snapshot = undefined;
    for (const listener of [...listeners]) {
      try {
        listener();
      } catch (error) {
        // An embedder's mistake in drawing must not stop the session.
        options.recorder.note('error', { message: `A subscriber threw: ${String(error)}` });
      }
    }
  };

  const update = (patch: Partial<SessionDetails>): void => {
    details = { ...details, ...patch };
    changed();
  };

  const reach = (milestone: keyof AppTimes): void => {
    if (!details.times[milestone]) update({ times: { ...details.times, [milestone]: Date.now() } });
  };

  const dispatch = (event: SessionEvent): boolean => {
    const previous = state;
    const next = transition(state, event);
    if (next === previous) return false;
    state = next;
    const milestone = milestoneOf[event.type];
    if (milestone) {
      // What the last document came to counts no more from this step on.
      const isKept = ([name]: [string, number]): boolean =>
        previous.epoch === next.epoch ||
        !milestones.slice(milestones.indexOf(milestone)).some((one) => one === name);
      const times = Object.fromEntries(Object.entries(details.times).filter(isKept));
      details = { ...details, times: { [milestone]: Date.now(), ...times } };
    }
    const { status, epoch } = next;
    options.recorder.lifecycle(event.type, {
      from: previous.status,
      status,
      epoch,
      ...('phase' in next ? { phase: next.phase } : {}),
      ...('eviction' in event ? event.eviction : {}),
      ...toFailureField(next),
    });
    options.onTransition(previous, next, event);
    changed();
    return true;
  };

  return {
    get state() {
      return state;
    },
    dispatch,
    update,
    reach,
    failWith: (error) => void dispatch({ type: 'fail', failure: toFailure(error) }),
    addFinding(finding) {
      const { findings } = details;
      const isKnown = findings.some(
        ({ code, message }) => code === finding.code && message === finding.message,
      );
      if (isKnown || findings.length >= maxFindings) return;
      options.recorder.note('finding', finding);
      update({ findings: [...findings, finding] });
    },
    getSnapshot() {
      snapshot ??= {
        session: options.session,
        status: state.status,
        epoch: state.epoch,
        ...details,
        ...toFailureField(state),
        ...(state.status === 'evicted' ? { eviction: { reason: state.reason, loses: state.loses } } : {}),
      };
      return snapshot;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** The events that are a step of the app. */
const milestoneOf: { readonly [T in SessionEvent['type']]?: keyof AppTimes } = {
  start: 'started',
  restart: 'started',
  restored: 'started',
  resource: 'read',
  'loader-ready': 'framed',
  initialize: 'greeted',
  initialized: 'ready',
};

const toFailureField = (state: SessionState): { failure?: SessionFailure } => {
  if (state.status === 'failed') return { failure: state.failure };
  // Of two troubles the app's own comes first: something can be done about it here.
  const failure = ('silence' in state && state.silence) || ('loss' in state && state.loss);
  return failure ? { failure } : {};
};

/** The failure an error stands for; what is not ours is internal, with the error's own words. */
const toFailure = (error: unknown): SessionFailure => {
  if (!(error instanceof CasementError)) {
    return {
      step: 'resource',
      code: 'internal',
      message: error instanceof Error ? error.message : String(error),
    };
  }
  const { step = 'resource', code, message, hint } = error;
  return { step, code, message, ...(hint === undefined ? {} : { hint }) };
};

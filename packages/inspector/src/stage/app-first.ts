import type { AppSnapshot } from '@casement/host';
import type { Readable } from '../store.js';
import { createStore } from '../store.js';
import type { CallState, StageState } from './stage-types.js';

/** The longest that everything else waits for an app that was run. */
const maxMs = 400;
/** What the frames of an app take that is made ready, more or less. */
const readyMs = 250;
/** What an app takes to draw the result it was told. */
const drawMs = 50;

/** Whether an app is coming up that what is only drawn waits for. */
export interface AppFirst extends Readable<boolean> {
  /** An app is made ready. */
  prepare(): void;
  /** The user presses what runs a tool whose app is ready. */
  begin(): void;
}

/** Whether an app is on its way to what its tool returned, and nothing has gone wrong. */
const isComingUp = ({ status, failure, scriptErrors, times }: AppSnapshot, call: CallState): boolean =>
  status !== 'closed' &&
  status !== 'tearing-down' &&
  failure === undefined &&
  scriptErrors.length === 0 &&
  times.result === undefined &&
  (call.status === 'running' || call.status === 'done');

/** Whether the stage says that something went wrong: that has to go before an app is seen. */
const isBroken = ({ call, snapshot }: StageState): boolean =>
  call.status === 'failed' ||
  (snapshot !== undefined && (snapshot.failure !== undefined || snapshot.scriptErrors.length > 0));

/**
 * Tells whether an app of the stage comes up right now. Views and the doctor wait for it: whatever they do meanwhile is
 * done on the thread that the app's messages pass, and takes the processor from the app.
 */
export const createAppFirst = (stage: Readable<StageState>): AppFirst => {
  const store = createStore(false);
  /** The session of the app that is waited for, once it is there. */
  let awaited: string | undefined;
  /** Whether the time that the next app has was counted from the press. */
  let isPressed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let endsAt = 0;
  /** Ends it sooner, never later: an app that changes all the time keeps nobody waiting. */
  const endAfter = (ms: number): void => {
    if (performance.now() + ms >= endsAt) return;
    endsAt = performance.now() + ms;
    clearTimeout(timer);
    timer = setTimeout(() => {
      isPressed = false;
      store.set(false);
    }, ms);
  };
  const wait = (ms: number): void => {
    store.set(true);
    endsAt = Infinity;
    endAfter(ms);
  };
  let wasBroken = false;
  stage.subscribe(() => {
    const { call, snapshot } = stage.getSnapshot();
    if (!snapshot) return;
    const isAfterTrouble = wasBroken;
    wasBroken = isBroken(stage.getSnapshot());
    const isNew = snapshot.session !== awaited;
    if (isComingUp(snapshot, call)) {
      awaited = snapshot.session;
      if (isNew && !isPressed && !isAfterTrouble) wait(maxMs);
      isPressed = false;
    } else if (!isNew && store.getSnapshot()) {
      endAfter(snapshot.times.result === undefined || snapshot.failure ? 0 : drawMs);
    }
  });
  return {
    ...store,
    prepare() {
      if (!store.getSnapshot()) wait(readyMs);
    },
    begin() {
      if (isBroken(stage.getSnapshot())) return;
      // Whatever is on the stage now makes room.
      awaited = undefined;
      isPressed = true;
      wait(maxMs);
    },
  };
};

/*
 * When a question takes an answer. A question can appear, or slide, under a pointer that is busy with something else, so
 * a press counts only when it can have been meant for the question:
 *
 * 1. Half a second has passed since the question appeared or was pressed too early, and the pointer has travelled since:
 *    whoever clicks on one spot, in whatever rhythm, does not move. A press before that starts the wait anew.
 * 2. A finger does not travel, and a mouse may rest on the answer: two seconds without any press do as well.
 * 3. For a yes the question has stood still as long: one that moves has appeared anew. A no by mistake does no harm,
 *    and an app that never lets the page stand still must not be able to prevent it.
 * 4. A key goes where the focus is, so neither place nor travel matter; a key that is held down answers nothing.
 */
const armAfterMs = 500;
const restAfterMs = 2_000;
// More than a hand trembles.
const travelPx = 24;

/** Which answers a question takes at this moment. */
export interface ArmedState {
  readonly takesNo: boolean;
  readonly takesYes: boolean;
}

/** Decides whether a click or key press counts as an answer to a question. */
export interface Arming {
  getState(): ArmedState;
  /** Whether the user meant this click on an answer; false if the click came too early. */
  isMeant(click: MouseEvent, isYes: boolean): boolean;
  end(): void;
}

/**
 * Creates the guard that keeps a question from taking an answer too early. It checks the position of `place` in every
 * painted frame and calls `onChange` when its state changes.
 */
export const createArming = (place: HTMLElement, onChange: (state: ArmedState) => void): Arming => {
  const listening = new AbortController();
  const { signal } = listening;
  let state: ArmedState = { takesNo: false, takesYes: false };
  // For a no the wait is only that of the question's first moment; for a yes it begins anew whenever the place moves.
  let noSince = performance.now();
  let yesSince = noSince;
  let from: { readonly x: number; readonly y: number } | undefined;
  let hasTravelled = false;
  let isPressMeant: ArmedState | undefined;
  let isKeyMeant = true;
  let rect = '';

  const isOver = (since: number, needsTravel: boolean): boolean => {
    const waited = performance.now() - since;
    return waited >= restAfterMs || (waited >= armAfterMs && (hasTravelled || !needsTravel));
  };
  const look = (): ArmedState => {
    const { left, bottom } = place.getBoundingClientRect();
    const now = `${Math.round(left)} ${Math.round(bottom)}`;
    if (rect !== '' && rect !== now) {
      yesSince = performance.now();
      from = undefined;
      hasTravelled = false;
    }
    rect = now;
    const next = { takesNo: isOver(noSince, false), takesYes: isOver(yesSince, true) };
    if (next.takesNo !== state.takesNo || next.takesYes !== state.takesYes) {
      state = next;
      onChange(state);
    }
    return state;
  };
  const startAnew = (position: typeof from): void => {
    const now = performance.now();
    if (!state.takesNo) noSince = now;
    if (!state.takesYes) yesSince = now;
    from = position;
    hasTravelled = false;
  };

  const listen = <K extends 'pointermove' | 'pointerdown' | 'keydown'>(
    type: K,
    listener: (event: WindowEventMap[K]) => void,
  ): void => window.addEventListener(type, listener, { signal, capture: true });
  listen('pointermove', ({ clientX: x, clientY: y, pointerType }) => {
    if (pointerType === 'touch') return;
    // Where it was before it came into this page is not known: the first position is only where it sets out from.
    from ??= { x, y };
    hasTravelled ||= Math.hypot(x - from.x, y - from.y) >= travelPx;
  });
  listen('pointerdown', ({ clientX: x, clientY: y }) => {
    isPressMeant = look();
    if (!state.takesNo || !state.takesYes) startAnew({ x, y });
  });
  listen('keydown', (event) => {
    if ((event.key !== 'Enter' && event.key !== ' ') || !event.composedPath().includes(place)) return;
    look();
    isKeyMeant = !event.repeat && isOver(noSince, false);
    if (isKeyMeant) return;
    event.preventDefault();
    if (!event.repeat) startAnew(from);
  });

  let frame = requestAnimationFrame(function watch() {
    look();
    frame = requestAnimationFrame(watch);
  });
  return {
    getState: () => state,
    isMeant({ detail }, isYes) {
      // A click without a count of clicks comes from a key or a screen reader.
      if (detail === 0) return isKeyMeant && isOver(noSince, false);
      look();
      const { takesNo, takesYes } = isPressMeant ?? { takesNo: false, takesYes: false };
      // It must not have slid away between press and release.
      return isYes ? takesYes && state.takesYes : takesNo;
    },
    end() {
      cancelAnimationFrame(frame);
      listening.abort();
    },
  };
};

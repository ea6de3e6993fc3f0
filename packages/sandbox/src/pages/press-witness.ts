// Taken before guest code runs, which could otherwise answer in their place.
const { apply } = Reflect;
const readType = Object.getOwnPropertyDescriptor(Event.prototype, 'type')?.get;
const readPhase = Object.getOwnPropertyDescriptor(Event.prototype, 'eventPhase')?.get;

/** A press as the browser made it, under way now: not an object of the guest, nor an event that it kept or sent. */
const isPress = (event: Event): boolean => {
  if (!readType || !readPhase) return false;
  try {
    // Both throw for what is no event; `isTrusted` is each event's own and cannot be changed.
    const type = apply(readType, event, []);
    const isUnderWay = apply(readPhase, event, []) !== 0;
    return isUnderWay && event.isTrusted && (type === 'pointerdown' || type === 'mousedown');
  } catch {
    return false;
  }
};

/**
 * Tells of each press of the user in this document; returns what adds the listeners, which may be called again. A guest
 * that takes them away hides only what would speak for it.
 */
export const createPressWitness = (tell: () => void): (() => void) => {
  const hear = (event: Event): void => {
    if (isPress(event)) tell();
  };
  return () => {
    // Assistive technology presses without a pointer.
    for (const type of ['pointerdown', 'mousedown']) window.addEventListener(type, hear, true);
  };
};

import type { RefObject } from 'react';
import { useEffect, useMemo, useState } from 'react';

// A question that appears under a double click must not be answered by its second half (E10).
const armAfterMs = 500;
// An app above may change its height, so that a button slides under the pointer (E10).
const stillForMs = 350;

/** How far a question can be answered. */
export interface Armed {
  /** False in the first moment of the question. */
  readonly isArmed: boolean;
  /** False when it has just been moved, so that a click may have been meant for something else; to show it. */
  readonly isStill: boolean;
  /** The same, as it is at this moment; to decide by. */
  standsStill(): boolean;
}

/** Its place is looked at in every painted frame, because there are too many ways to move it. */
export const useArmed = (place: RefObject<HTMLElement | null>): Armed => {
  const [isArmed, setArmed] = useState(false);
  const [isStill, setStill] = useState(true);
  const standsStill = useMemo(() => createPlaceWatch(place), [place]);
  useEffect(() => {
    const timer = setTimeout(() => setArmed(true), armAfterMs);
    const look = (): void => {
      setStill(standsStill());
      frame = requestAnimationFrame(look);
    };
    let frame = requestAnimationFrame(look);
    return () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
  }, [standsStill]);
  return { isArmed, isStill, standsStill };
};

const createPlaceWatch = (place: RefObject<HTMLElement | null>): (() => boolean) => {
  let last = '';
  let movedAt = -Infinity;
  return () => {
    const { left, bottom } = place.current?.getBoundingClientRect() ?? { left: 0, bottom: 0 };
    const now = `${Math.round(left)} ${Math.round(bottom)}`;
    if (last !== '' && now !== last) movedAt = performance.now();
    last = now;
    return performance.now() - movedAt > stillForMs;
  };
};

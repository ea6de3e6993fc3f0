import type { RefObject } from 'react';
import { useEffect, useRef, useState } from 'react';

// A question that appears under a double click must not be answered by its second half (E10).
const armAfterMs = 500;
// An app above may change its height, so that a button slides under the pointer (E10).
const stillForMs = 350;

/**
 * Whether a question can be answered: not in its first moment, and by pointer only where it has stood still for a
 * moment. Its place is looked at in every painted frame, because there are too many ways to move it.
 */
export const useArmed = (
  place: RefObject<HTMLElement | null>,
): { readonly isArmed: boolean; isMeant(event: { readonly detail: number }): boolean } => {
  const [isArmed, setArmed] = useState(false);
  const movedAt = useRef(0);
  useEffect(() => {
    const timer = setTimeout(() => setArmed(true), armAfterMs);
    let last = '';
    const look = (): void => {
      const { left, bottom } = place.current?.getBoundingClientRect() ?? { left: 0, bottom: 0 };
      const now = `${Math.round(left)} ${Math.round(bottom)}`;
      if (last !== '' && now !== last) movedAt.current = performance.now();
      last = now;
      frame = requestAnimationFrame(look);
    };
    let frame = requestAnimationFrame(look);
    return () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
  }, [place]);
  return {
    isArmed,
    // A click without a count of clicks comes from a key, which goes where the focus is.
    isMeant: ({ detail }) => isArmed && (detail === 0 || performance.now() - movedAt.current > stillForMs),
  };
};

import type { RefObject } from 'react';
import { useEffect, useRef, useState } from 'react';

// A question that appears under a double click must not be answered by its second half (E10).
const armAfterMs = 500;
// An app above may change its height, so that a button slides under the pointer (E10).
const stillForMs = 350;

/**
 * Whether a question can be answered: not in its first moment, and by pointer only when it has not just been moved by
 * something that grew or shrank in the thread.
 */
export const useArmed = (
  place: RefObject<HTMLElement | null>,
): { readonly isArmed: boolean; isMeant(event: { readonly detail: number }): boolean } => {
  const [isArmed, setArmed] = useState(false);
  const movedAt = useRef(0);
  useEffect(() => {
    const timer = setTimeout(() => setArmed(true), armAfterMs);
    const thread = place.current?.closest('.casement-thread');
    const watch = new ResizeObserver(() => (movedAt.current = performance.now()));
    if (thread) watch.observe(thread);
    return () => {
      clearTimeout(timer);
      watch.disconnect();
    };
  }, [place]);
  return {
    isArmed,
    // A click without a count of clicks comes from a key, which goes where the focus is.
    isMeant: ({ detail }) => isArmed && (detail === 0 || performance.now() - movedAt.current > stillForMs),
  };
};

import type { RefObject } from 'react';
import { useEffect, useState } from 'react';

// One more of what is seen, above and below.
const margin = '100% 0px';

/** Whether an element has come near what the reader sees of the conversation; stays true from then on. */
export const useNear = (element: RefObject<HTMLElement | null>, isAsked: boolean): boolean => {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const target = element.current;
    if (isNear || !isAsked || !target) return;
    if (typeof IntersectionObserver === 'undefined') return setNear(true);
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { root: target.closest('.casement-scroll'), rootMargin: margin },
    );
    observer.observe(target);
    return () => observer.disconnect();
  }, [element, isAsked, isNear]);
  return isNear;
};

import type { RefObject } from 'react';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

// Who is this near to the end wants to be there.
const nearPx = 48;

/**
 * Keeps the end of the thread in view until the reader scrolls up, and then says whether something new came below.
 * `news` changes when there is something new; `own` when the user wrote something, which leads to the end in any case.
 */
export const useStayAtEnd = (
  content: RefObject<HTMLElement | null>,
  news: unknown,
  own: unknown,
): { readonly hasNews: boolean; goToEnd(): void } => {
  const [hasNews, setNews] = useState(false);
  const isAtEnd = useRef(true);
  const scroll = useCallback(() => {
    const scroller = content.current?.closest('.casement-scroll');
    if (scroller) scroller.scrollTop = scroller.scrollHeight;
  }, [content]);
  const goToEnd = useCallback(() => {
    isAtEnd.current = true;
    setNews(false);
    scroll();
  }, [scroll]);

  useEffect(() => {
    const scroller = content.current?.closest('.casement-scroll');
    if (!content.current || !scroller) return;
    let top = scroller.scrollTop;
    const onScroll = (): void => {
      const isNear = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop < nearPx;
      // Whatever grows below moves the end away without anybody having scrolled: only upwards is leaving.
      if (isNear) isAtEnd.current = true;
      else if (scroller.scrollTop < top) isAtEnd.current = false;
      if (isNear) setNews(false);
      top = scroller.scrollTop;
    };
    const watch = new ResizeObserver(() => {
      if (isAtEnd.current) scroll();
    });
    watch.observe(content.current);
    watch.observe(scroller);
    scroller.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      watch.disconnect();
      scroller.removeEventListener('scroll', onScroll);
    };
  }, [content, scroll]);

  useLayoutEffect(() => {
    if (!isAtEnd.current) setNews(true);
  }, [news]);
  useLayoutEffect(goToEnd, [own, goToEnd]);
  return { hasNews, goToEnd };
};

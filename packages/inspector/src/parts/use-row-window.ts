import { useCallback, useLayoutEffect, useState, type RefObject } from 'react';

/** The rows of a long list that exist, because they are in sight or nearly so. */
export interface RowWindow {
  readonly indices: readonly number[];
  /** The height of all rows, in pixels. */
  readonly height: number;
  /** Looks anew where the list is scrolled to; to be called by who scrolls it before the browser draws. */
  look(): void;
  /** Scrolls as little as is needed to bring a row into sight. */
  show(index: number): void;
}

interface WindowOptions {
  readonly count: number;
  /** The height of every row, in pixels: known heights make the cost of a list that of what is in sight. */
  readonly rowHeight: number;
  /** How many rows exist above and below those in sight. */
  readonly margin: number;
}

/** Follows a scrolling element and says which rows of a list have to exist. */
export const useRowWindow = (
  scroller: RefObject<HTMLElement | null>,
  { count, rowHeight, margin }: WindowOptions,
): RowWindow => {
  // As many as there could be at most: to look at once would have the whole page laid out before it is complete.
  const [place, setPlace] = useState(() => ({ first: 0, fitting: Math.ceil(innerHeight / rowHeight) + 1 }));
  const look = useCallback((): void => {
    const { scrollTop, clientHeight } = scroller.current ?? { scrollTop: 0, clientHeight: 0 };
    const first = Math.floor(scrollTop / rowHeight);
    const fitting = Math.ceil(clientHeight / rowHeight) + 1;
    setPlace((old) => (old.first === first && old.fitting === fitting ? old : { first, fitting }));
  }, [scroller, rowHeight]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    // It looks first before the list is drawn.
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [scroller, look]);

  const show = useCallback(
    (index: number): void => {
      const element = scroller.current;
      if (!element) return;
      const top = index * rowHeight;
      const lowest = top + rowHeight - element.clientHeight;
      element.scrollTop = Math.max(Math.min(element.scrollTop, top), lowest);
      look();
    },
    [scroller, rowHeight, look],
  );

  // A list that became shorter is scrolled by the browser, which tells so later.
  const first = Math.max(0, Math.min(place.first, count - place.fitting));
  const from = Math.max(0, first - margin);
  const to = Math.min(count, first + place.fitting + margin);
  const indices = Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset);
  return { indices, height: count * rowHeight, look, show };
};

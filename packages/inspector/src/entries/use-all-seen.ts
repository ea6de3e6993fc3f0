import { useEffect, useState } from 'react';

/**
 * Whether all of a place that scrolls was in sight, with nothing in it cut: a yes to what nobody saw is none (E09). What
 * was seen stays seen until another content is shown.
 */
export const useAllSeen = (
  place: { readonly current: HTMLElement | null },
  content: string | undefined,
): boolean => {
  const [seen, setSeen] = useState<string>();
  useEffect(() => {
    const box = place.current;
    const inner = box?.firstElementChild;
    if (!box || !inner || content === undefined) return;
    const look = (): void => {
      const isAtEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - 4;
      if (isAtEnd && !box.querySelector('[data-cut]')) setSeen(content);
    };
    const watched = new ResizeObserver(look);
    watched.observe(box);
    watched.observe(inner);
    box.addEventListener('scroll', look);
    look();
    return () => {
      watched.disconnect();
      box.removeEventListener('scroll', look);
    };
  }, [place, content]);
  return content !== undefined && seen === content;
};

/*
 * Frames that are ready for an app nobody has asked for yet cost memory and, for a moment, a processor. So a page has
 * at most two of them, for a minute, and none while it is hidden or short of memory.
 */

/** Something that was made ready and can be done without. */
interface Spare {
  drop(reason: 'too-many' | 'unused' | 'page-hidden' | 'memory'): void;
}

/** The place of one spare among those of its page. */
interface SparePlace {
  /** Somebody seems to want it still: its minute begins anew. */
  keep(): void;
  leave(): void;
}

const maxSpares = 2;
const unusedMs = 60_000;
/** Who only looks something up elsewhere comes back sooner. */
const hiddenMs = 20_000;
const lookMs = 5_000;
const maxHeapShare = 0.8;
const minDeviceGigabytes = 1;

const spares = new Set<Spare>();
let watching: AbortController | undefined;

const dropAll = (reason: 'page-hidden' | 'memory'): void => {
  for (const spare of [...spares]) spare.drop(reason);
};

/** Whether the browser hints that memory is short; one that tells nothing is not asked further. */
export const isShortOfMemory = (): boolean => {
  // Chromium alone has these two, and the DOM types have neither.
  const { memory } = performance as { memory?: { usedJSHeapSize: number; jsHeapSizeLimit: number } };
  const { deviceMemory } = navigator as { deviceMemory?: number };
  return (
    (memory !== undefined && memory.usedJSHeapSize > memory.jsHeapSizeLimit * maxHeapShare) ||
    (deviceMemory !== undefined && deviceMemory < minDeviceGigabytes)
  );
};

const watchPage = (): AbortController => {
  const controller = new AbortController();
  const { signal } = controller;
  let hidden: ReturnType<typeof setTimeout> | undefined;
  const onVisibility = (): void => {
    clearTimeout(hidden);
    if (document.hidden) hidden = setTimeout(() => dropAll('page-hidden'), hiddenMs);
  };
  const look = setInterval(() => {
    if (isShortOfMemory()) dropAll('memory');
  }, lookMs);
  document.addEventListener('visibilitychange', onVisibility, { signal });
  document.addEventListener('freeze', () => dropAll('page-hidden'), { signal });
  window.addEventListener('pagehide', () => dropAll('page-hidden'), { signal });
  signal.addEventListener('abort', () => {
    clearTimeout(hidden);
    clearInterval(look);
  });
  onVisibility();
  return controller;
};

/** Gives a spare its place among those of the page; the oldest makes room. */
export const addSpare = (spare: Spare): SparePlace => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const keep = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => spare.drop('unused'), unusedMs);
  };
  spares.add(spare);
  keep();
  watching ??= watchPage();
  const [oldest] = spares;
  if (spares.size > maxSpares) oldest?.drop('too-many');
  return {
    keep,
    leave() {
      clearTimeout(timer);
      spares.delete(spare);
      if (spares.size > 0) return;
      watching?.abort();
      watching = undefined;
    },
  };
};

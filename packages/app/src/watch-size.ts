/**
 * How many reports in a row may follow from nothing but a new height of the frame: as many as our host needs to notice
 * it and tell the author. An even number, so that a height that goes up and down ends at the larger frame.
 */
const MAX_ECHOES = 12;
/** How long after the last of them the size is measured once more. */
const SETTLE_MS = 300;

/** The height the content needs: that of the root, so that margins count, without a height taken from the frame. */
const measureHeight = (): number => {
  const { style } = document.documentElement;
  const given = style.height;
  style.height = 'max-content';
  const { height } = document.documentElement.getBoundingClientRect();
  style.height = given;
  return Math.ceil(height);
};

/**
 * Reports the size of the content whenever it changes, once per size (VIEW-009); the returned function ends it. Content
 * that takes its height from the frame would follow it for ever: it grows (100vh and a margin), shrinks (90vh), or goes
 * up and down (a media query on the height). So changes that came with a change of the frame are reported a limited
 * number of times, until something else changes. Content that grows on its own may by chance have grown with the frame
 * each time, so one more report follows when all is quiet.
 */
export const watchSize = (report: (width: number, height: number) => void): (() => void) => {
  let reported = '';
  let last = { width: 0, height: 0, frame: 0 };
  let echoes = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = (): void => {
    const size = `${last.width} ${last.height}`;
    if (size === reported) return;
    reported = size;
    report(last.width, last.height);
  };
  const look = (): void => {
    const now = { width: window.innerWidth, height: measureHeight(), frame: window.innerHeight };
    if (now.height !== last.height) {
      echoes = now.width === last.width && now.frame !== last.frame ? echoes + 1 : 0;
      // If the height goes up and down, stop where the frame is larger than the content: nothing is cut off there.
      const isOpen = now.frame < Math.max(now.height, last.frame);
      if (echoes === MAX_ECHOES + 1 && isOpen) timer = setTimeout(tell, SETTLE_MS);
    }
    last = now;
    if (echoes <= MAX_ECHOES) tell();
  };
  const observer = new ResizeObserver(look);
  observer.observe(document.documentElement);
  if (document.body) observer.observe(document.body);
  // The host following a report changes the frame and not the content: the next change is then one of its own.
  window.addEventListener('resize', look);
  return () => {
    clearTimeout(timer);
    window.removeEventListener('resize', look);
    observer.disconnect();
  };
};

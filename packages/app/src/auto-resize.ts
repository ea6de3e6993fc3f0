/** How often in a row a frame of another height alone may make the content another height: as often as our host needs to see it and to tell the author, and evenly, so that a to and fro ends at the larger frame. */
const MAX_ECHOES = 12;
/** How long after that the size is looked at once more. */
const SETTLE_MS = 300;

/** The height the content wants: of the root, so that margins count, freed of a height it may have from the frame. */
const measureHeight = (): number => {
  const { style } = document.documentElement;
  const given = style.height;
  style.height = 'max-content';
  const { height } = document.documentElement.getBoundingClientRect();
  style.height = given;
  return Math.ceil(height);
};

/**
 * Reports the size of the content whenever it changes, once per size (VIEW-009). Content that takes its height from
 * the frame would chase it for ever, larger (100vh and a margin), smaller (90vh) or to and fro (a media query on the
 * height): changes that came with a change of the frame end after that many reports, until something else changes. Content
 * that grows on its own may by chance have grown with the frame each time, so one more report follows when all is
 * quiet.
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
      // A larger frame with smaller content in it is one end of a to and fro, and the better one.
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

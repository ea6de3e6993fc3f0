/** How often in a row a taller frame alone may make the content taller. */
const MAX_ECHOES = 2;

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
 * Reports the size of the content whenever it changes, once per size (VIEW-009). Content that is always taller than
 * its frame (100vh and a margin) would grow for ever: growth for which nothing but the frame changed ends after two
 * reports, until something else changes.
 */
export const watchSize = (report: (width: number, height: number) => void): (() => void) => {
  let reported = '';
  let last = { width: 0, height: 0, frame: 0 };
  let echoes = 0;
  const look = (): void => {
    const now = { width: window.innerWidth, height: measureHeight(), frame: window.innerHeight };
    const isEcho =
      now.width === last.width && now.frame > last.frame && now.height > last.height && reported !== '';
    echoes = isEcho ? echoes + 1 : now.height === last.height ? echoes : 0;
    last = now;
    const size = `${now.width} ${now.height}`;
    if (size === reported || echoes > MAX_ECHOES) return;
    reported = size;
    report(now.width, now.height);
  };
  const observer = new ResizeObserver(look);
  observer.observe(document.documentElement);
  if (document.body) observer.observe(document.body);
  return () => observer.disconnect();
};

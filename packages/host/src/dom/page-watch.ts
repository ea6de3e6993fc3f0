const quietMs = 50;

/** Calls when the look of the page may have changed: its size, the system's theme, attributes of its root or body. */
export const watchPage = (page: Document, onChange: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(onChange, quietMs);
  };
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', soon);
  window.addEventListener('resize', soon);
  const observer = new MutationObserver(soon);
  // A document without a body can hold an app too.
  const roots = [page.documentElement, page.body].filter(Boolean);
  for (const root of roots) observer.observe(root, { attributes: true });
  return () => {
    clearTimeout(timer);
    dark.removeEventListener('change', soon);
    window.removeEventListener('resize', soon);
    observer.disconnect();
  };
};

/** Tells when the room of the app changed, once it has settled for a moment; a hidden place is no room. */
export const watchRoom = (
  [place, ...others]: readonly [HTMLElement, ...HTMLElement[]],
  onChange: () => void,
): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const observer = new ResizeObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (place.clientWidth > 0) onChange();
    }, quietMs * 2);
  });
  for (const element of [place, ...others]) observer.observe(element);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
  };
};

const quietMs = 50;

/** Calls when the look of the page may have changed: its size, the system's theme, attributes of its root or body. */
export const watchPage = (onChange: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(onChange, quietMs);
  };
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', soon);
  window.addEventListener('resize', soon);
  const observer = new MutationObserver(soon);
  // A document without a body can hold an element too.
  const roots = [document.documentElement, document.body].filter(Boolean);
  for (const root of roots) observer.observe(root, { attributes: true });
  return () => {
    clearTimeout(timer);
    dark.removeEventListener('change', soon);
    window.removeEventListener('resize', soon);
    observer.disconnect();
  };
};

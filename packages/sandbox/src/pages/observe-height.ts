/** Tells the height the document takes by itself, and whenever it changes, from the time what it returns was called. */
export const createHeightObserver = (tell: (height: number) => void): (() => void) => {
  // Of the root, which counts the margins of the body: a frame of the body's own height would scroll.
  let root: HTMLElement | null = null;
  const observer = new ResizeObserver(() => {
    if (root) tell(Math.ceil(root.getBoundingClientRect().height));
  });
  return () => {
    if (document.documentElement === root) return;
    observer.disconnect();
    root = document.documentElement;
    if (root) observer.observe(root);
  };
};

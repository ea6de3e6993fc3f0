/** Returns a function that starts to report the document's own height, now and whenever it changes. */
export const createHeightObserver = (report: (height: number) => void): (() => void) => {
  // Of the root, which counts the margins of the body: a frame of the body's own height would scroll.
  let root: HTMLElement | null = null;
  const observer = new ResizeObserver(() => {
    if (root) report(Math.ceil(root.getBoundingClientRect().height));
  });
  return () => {
    if (document.documentElement === root) return;
    observer.disconnect();
    root = document.documentElement;
    if (root) observer.observe(root);
  };
};

/** Tells the height the document takes by itself, now and whenever it changes. */
export const observeHeight = (tell: (height: number) => void): void => {
  // Of the root, which counts the margins of the body: a frame of the body's own height would scroll.
  const root = document.documentElement;
  new ResizeObserver(() => tell(Math.ceil(root.getBoundingClientRect().height))).observe(root);
};

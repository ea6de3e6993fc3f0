/** Calls `onRemoved` once when someone else takes `element` out of the document, at any height. */
export const watchRemoval = (element: HTMLElement, onRemoved: () => void): (() => void) => {
  let wasConnected = element.isConnected;
  const observer = new MutationObserver(() => {
    if (element.isConnected) {
      wasConnected = true;
    } else if (wasConnected) {
      observer.disconnect();
      onRemoved();
    }
  });
  // Mutations do not cross shadow roots, so every tree up to the document is watched.
  let root: Node = element.getRootNode();
  for (;;) {
    observer.observe(root, { childList: true, subtree: true });
    if (!(root instanceof ShadowRoot)) break;
    root = root.host.getRootNode();
  }
  return () => observer.disconnect();
};

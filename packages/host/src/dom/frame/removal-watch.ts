/** Calls `onRemoved` once when someone else took or takes `element` out of the document, at any height. */
export const watchRemoval = (
  element: HTMLElement,
  wasConnected: boolean,
  onRemoved: () => void,
): (() => void) => {
  let wasThere = wasConnected;
  const look = (): void => {
    if (element.isConnected) {
      wasThere = true;
    } else if (wasThere) {
      observer.disconnect();
      onRemoved();
    }
  };
  const observer = new MutationObserver(look);
  // Mutations do not cross shadow roots, so every tree up to the document is watched.
  let root: Node = element.getRootNode();
  for (;;) {
    observer.observe(root, { childList: true, subtree: true });
    if (!(root instanceof ShadowRoot)) break;
    root = root.host.getRootNode();
  }
  look();
  return () => observer.disconnect();
};

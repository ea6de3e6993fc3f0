/** The browser's moveBefore, which keeps frames alive; not in every browser yet. */
interface Movable {
  moveBefore?(node: Node, child: Node | null): void;
}

/**
 * Takes an app out of its container without ending it, so that whoever owns the container may remove it at once while
 * the app is asked to stop; a frame that is removed has no window to answer with. Says whether it could.
 */
export const parkFrame = (wrapper: HTMLElement): boolean => {
  // The DOM types of this TypeScript do not know moveBefore.
  const place: Element & Movable = wrapper.ownerDocument.documentElement;
  if (!place.moveBefore || !wrapper.isConnected) return false;
  const { width, height } = wrapper.getBoundingClientRect();
  try {
    place.moveBefore(wrapper, null);
  } catch {
    // Something forbids the move (another document, a tree that is being taken apart): the app stays where it is.
    return false;
  }
  wrapper.inert = true;
  // Its size stays, so that the app does not see a last, pointless resize.
  Object.assign(wrapper.style, {
    position: 'fixed',
    inset: '0 auto auto 0',
    width: `${width}px`,
    height: `${height}px`,
    visibility: 'hidden',
  });
  return true;
};

/** The browser's moveBefore, which keeps frames alive; not in every browser yet. */
interface Movable {
  moveBefore?(node: Node, child: Node | null): void;
}

/**
 * Takes an app out of its container without ending it, so that whoever owns the container may remove it at once while
 * the app is asked to stop; a frame that is removed has no window to answer with. Returns what removes the place it
 * was put in, or nothing where the app could not be moved.
 *
 * The place has its style before the move and the app's own style is not touched after it: Chromium 156 crashes the
 * tab when many moved frames are restyled. Its size is the app's, so that there is no last, pointless resize.
 */
export const parkFrame = (wrapper: HTMLElement): (() => void) | undefined => {
  const page = wrapper.ownerDocument;
  // The DOM types of this TypeScript do not know moveBefore.
  const place: HTMLElement & Movable = page.createElement('div');
  if (!place.moveBefore || !wrapper.isConnected) return undefined;
  const { width, height } = wrapper.getBoundingClientRect();
  place.inert = true;
  Object.assign(place.style, {
    position: 'fixed',
    inset: '0 auto auto 0',
    width: `${width}px`,
    height: `${height}px`,
    visibility: 'hidden',
  });
  page.documentElement.append(place);
  try {
    place.moveBefore(wrapper, null);
  } catch {
    // Something forbids the move (another document, a tree that is being taken apart): the app stays where it is.
    place.remove();
    return undefined;
  }
  return () => place.remove();
};

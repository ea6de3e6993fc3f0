/** The browser's moveBefore, which keeps frames alive; not in every browser yet. */
interface Movable {
  moveBefore?(node: Node, child: Node | null): void;
}

/** An app that says goodbye out of sight. */
interface Parked {
  /** Ends it at once: others need the place. */
  readonly onCrowded: () => void;
}

// Each holds a process; who closes more than these at once has a list to empty, not apps to wait for.
const maxParked = 8;
const parked: Parked[] = [];

/**
 * Takes an app out of sight without ending it, so that it can still save and answer, and whoever owns its container may
 * remove that at once: a frame that is removed has no window to answer with. Where the browser cannot move it, it is
 * hidden where it is and shares the fate of its container. Of more than eight the oldest is ended. Gives back what ends
 * the parking.
 */
export const parkFrame = (wrapper: HTMLElement, onCrowded: () => void): (() => void) => {
  const mine: Parked = { onCrowded };
  const place = moveAway(wrapper);
  if (!place) Object.assign(wrapper, { inert: true }).style.cssText += readHiddenStyle(wrapper);
  parked.push(mine);
  if (parked.length > maxParked) parked.shift()?.onCrowded();
  return () => {
    const index = parked.indexOf(mine);
    if (index >= 0) parked.splice(index, 1);
    place?.remove();
  };
};

/**
 * The place has its style before the move and the app's own style is not touched after it: Chromium 156 crashes the
 * tab when many moved frames are restyled.
 */
const moveAway = (wrapper: HTMLElement): HTMLElement | undefined => {
  const page = wrapper.ownerDocument;
  // The DOM types of this TypeScript do not know moveBefore.
  const place: HTMLElement & Movable = page.createElement('div');
  if (!place.moveBefore || !wrapper.isConnected) return undefined;
  place.inert = true;
  place.style.cssText = readHiddenStyle(wrapper);
  page.documentElement.append(place);
  try {
    place.moveBefore(wrapper, null);
  } catch {
    // Something forbids the move (another document, a tree that is being taken apart): the app stays where it is.
    place.remove();
    return undefined;
  }
  return place;
};

/**
 * Takes no room and is not seen, also where a rule of the page makes every frame visible. Its size is the app's, so that
 * there is no last, pointless resize.
 */
const readHiddenStyle = (wrapper: HTMLElement): string => {
  const { width, height } = wrapper.getBoundingClientRect();
  return `;position:fixed;inset:0 auto auto 0;width:${width}px;height:${height}px;visibility:hidden;opacity:0`;
};

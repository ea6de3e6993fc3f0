import type { FrameUse } from '../frame/frame-use.js';
import { getHostFocus, type FocusPath, type FocusRival } from './host-focus.js';
import { findLock, isAround, questions } from './keyboard-lock.js';

const recentTabMs = 500;
/** A frame in another process is inert only from its next painted frame on. */
const inertAfterMs = 100;
const maxStrikes = 3;
const forgetMs = 10_000;

/**
 * Keeps an app from taking the keyboard away from a field of the host, or from a question (T9, A43). Nothing a page
 * can do stops a frame from calling `window.focus()`: not `inert`, not `display: none`. So the host looks: when the
 * frame has the focus and the user neither pressed in the app nor went there by Tab since the field was last used, the
 * field gets it back. From then on the frame is inert while a field of the host is in use, which ends every other way
 * to take the focus; an app that takes it even so, or again and again, is stopped. An app that is parked on its way out
 * has no claim to the keyboard at all, in use or not.
 *
 * A press inside is witnessed by the app's loader (frame-use). It does not see presses in frames that the app itself
 * contains; for those the activation counts that the browser keeps. A key that the app has stolen activates it too, so
 * it is believed only when it was there before the focus moved (host-focus), is this app's, and no other app's. That
 * cannot be told within seconds of an action in the page itself: then the focus is given back, and after the second
 * time the frame stays inert until the user presses on it, which the host sees.
 */
export const createFocusGuard = (options: {
  readonly wrapper: HTMLElement;
  frame(): HTMLIFrameElement | undefined;
  askUse(frame: HTMLIFrameElement): Promise<FrameUse>;
  /** Whether the app is hidden because it is being closed: it may get no key any more. */
  isParked(): boolean;
  onStrike(strikes: number): void;
  /** The app has to be ended: nothing else keeps it from the keyboard. */
  onStop(): void;
}): (() => void) => {
  const { wrapper } = options;
  const host = getHostFocus(wrapper.ownerDocument);
  let struck:
    { readonly frame: HTMLIFrameElement; readonly strikes: number; readonly at: number } | undefined;
  let inertSince = -Infinity;
  let needsPress = false;

  const setInert = (isInert: boolean): void => {
    const frame = options.frame();
    // Only a frame that took the focus before is ever touched, and none that was moved away (parking).
    if (!frame || options.isParked() || struck?.frame !== frame || frame.inert === isInert) return;
    frame.inert = isInert;
    needsPress = false;
    inertSince = performance.now();
  };
  const hasFocus = (): boolean => {
    const frame = options.frame();
    return frame !== undefined && isFocused(frame);
  };

  const strike = (frame: HTMLIFrameElement, home?: HTMLElement): false => {
    const now = performance.now();
    const isThrough = frame.inert && now - inertSince > inertAfterMs;
    // What is taken back at once was often meant well: an app that starts focuses its first field, maybe twice.
    const strikes = struck?.frame === frame && now - struck.at < forgetMs ? struck.strikes + 1 : 1;
    struck = { frame, strikes, at: now };
    setInert(true);
    home?.focus({ preventScroll: true });
    // A field that cannot be focused from here, in a closed shadow root: at least the app does not hear the keys.
    if (isFocused(frame)) frame.blur();
    options.onStrike(strikes);
    if (isThrough || strikes >= maxStrikes) options.onStop();
    return false;
  };
  const isByTab = (): boolean => performance.now() - (host.tab?.timeStamp ?? -Infinity) < recentTabMs;
  const isWitnessed = ({ pressedAt }: FrameUse): boolean => pressedAt > Math.max(host.since, host.lastKey);
  const judge = async (from: FocusPath, afterPress: boolean): Promise<boolean> => {
    const frame = options.frame();
    const lock = findLock(wrapper);
    const home = toHome(from, wrapper, lock);
    if (frame && options.isParked()) return strike(frame, home);
    if (!frame || !home) return true;
    // Behind a question, and in a frame that is inert, nobody can have pressed.
    if (lock || frame.inert) return strike(frame, home);
    const { since } = host;
    if (isByTab()) return true;
    const [use, isOther] = await Promise.all([
      options.askUse(frame),
      afterPress && host.isOtherActive(rival),
    ]);
    if (isWitnessed(use) || (afterPress && use.isActive && !isOther)) return true;
    // The page has the focus again: the user went on meanwhile.
    if (host.since !== since) return true;
    strike(frame, home);
    // The next strike would stop an app in which the user may have pressed all the time.
    needsPress = use.isActive && struck?.strikes === maxStrikes - 1;
    return false;
  };

  const stops = new AbortController();
  const { signal } = stops;
  // Over an inert frame the pointer is over what is around it: whoever goes to the app finds it as it was.
  wrapper.addEventListener('pointermove', () => needsPress || setInert(false), { signal });
  wrapper.addEventListener('pointerdown', () => setInert(false), { signal });
  const rival: FocusRival = {
    hasFocus,
    isActive: async () => {
      const frame = options.frame();
      return frame !== undefined && (await options.askUse(frame)).isActive;
    },
    judge,
    onUse: (path) => setInert(keepsKeys(path, wrapper)),
    onTab: () => setInert(false),
  };
  const remove = host.add(rival);
  return () => {
    remove();
    stops.abort();
    setInert(false);
  };
};

/**
 * Whether the frame has the focus. Its own root is asked: for a frame in a shadow root, the document only names the
 * host element.
 */
const isFocused = (frame: HTMLIFrameElement): boolean => {
  const root = frame.getRootNode();
  return (root instanceof Document || root instanceof ShadowRoot) && root.activeElement === frame;
};

/** Where the focus belongs instead of in the app, if anywhere. */
const toHome = (
  from: FocusPath,
  app: HTMLElement,
  lock: ReturnType<typeof findLock>,
): HTMLElement | undefined => {
  const [field] = from;
  const isKept = field instanceof HTMLElement && field.isConnected && keepsKeys(from, app);
  return isKept && (!lock || isAround(lock.question, field)) ? field : lock?.home;
};

/** Whether keys here are the host's alone: in a field, or anywhere in a question that this app is not part of. */
const keepsKeys = (path: FocusPath, app: HTMLElement): boolean =>
  (path[0] instanceof HTMLElement && isEditable(path[0])) ||
  path.some((node) => node instanceof Element && node.matches(questions) && !isAround(node, app));

/** A custom element that shows nothing of what is inside it may be a field. */
const isEditable = (element: HTMLElement): boolean =>
  element.isContentEditable ||
  element.matches('input, textarea, select') ||
  (element.localName.includes('-') && !element.shadowRoot);

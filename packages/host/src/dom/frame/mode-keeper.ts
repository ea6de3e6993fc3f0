import type { DisplayMode } from '@casement/protocol';
import type { isAround } from '../focus/keyboard-lock.js';

/** Does what is needed when an app goes to fullscreen or becomes a floating card, and when it goes back. */
export interface ModeKeeper {
  show(mode: DisplayMode): void;
  stop(): void;
}

// One app floats and one covers the page; whoever comes later takes the place (S1-69).
const owners = new Map<DisplayMode, () => void>();

/**
 * Creates the keeper of the roles, the focus and the keys of one app that leaves its inline place.
 *
 * Fullscreen is a dialog. Its name is announced, the focus moves to its head and later back to where it was, Tab stays
 * inside and Escape ends it. The page behind is not made inert: its nodes belong to the embedder, and their earlier
 * state could not be restored safely. Two focus stops, before and after the frame, keep the focus inside instead.
 *
 * A floating card is a named region, not a dialog. It takes no focus, because the user may be typing. If the focus is
 * inside the card when it closes, the focus goes back to where it was when the card opened.
 *
 * The host sees Escape only while the focus is in its own DOM. Keys pressed inside the app belong to the app, which can
 * ask for inline mode itself.
 */
export const createModeKeeper = (options: {
  readonly wrapper: HTMLElement;
  readonly label: string;
  readonly isAround: typeof isAround;
  frame(): HTMLIFrameElement | undefined;
  focusHead(): void;
  leave(): void;
}): ModeKeeper => {
  const { wrapper, leave } = options;
  const page = wrapper.ownerDocument;
  let mode: DisplayMode = 'inline';
  let opener: HTMLElement | undefined;
  let listening: AbortController | undefined;
  const stops = [
    createFocusStop(page, () => options.frame()?.focus()),
    createFocusStop(page, () => options.focusHead()),
  ] as const;

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
    const isOurs = event.composedPath().includes(wrapper);
    // What is open elsewhere, a dialog or a menu, has its own Escape; with the focus nowhere it is fullscreen's.
    if (!isOurs && (mode !== 'fullscreen' || event.target !== page.body)) return;
    // A dialog that the app is in stays open.
    event.preventDefault();
    leave();
  };
  const enter = (): void => {
    owners.get(mode)?.();
    owners.set(mode, leave);
    listening = new AbortController();
    page.addEventListener('keydown', onKeyDown, { signal: listening.signal });
    opener = readFocus(page);
    wrapper.setAttribute('aria-label', options.label);
    wrapper.setAttribute('role', mode === 'pip' ? 'region' : 'dialog');
    if (mode === 'pip') return slideIn(wrapper);
    wrapper.setAttribute('aria-modal', 'true');
    wrapper.prepend(stops[0]);
    wrapper.append(stops[1]);
    options.focusHead();
  };
  const exit = (): void => {
    if (owners.get(mode) === leave) owners.delete(mode);
    listening?.abort();
    for (const name of ['role', 'aria-modal', 'aria-label']) wrapper.removeAttribute(name);
    for (const stop of stops) stop.remove();
    const focused = readFocus(page);
    const isNowhere = mode === 'fullscreen' && (!focused || focused === page.body);
    const isLost = isNowhere || (focused !== undefined && options.isAround(wrapper, focused));
    if (isLost && opener?.isConnected) opener.focus({ preventScroll: true });
    opener = undefined;
  };

  return {
    show(next) {
      if (next === mode) return;
      if (mode !== 'inline') exit();
      mode = next;
      if (mode !== 'inline') enter();
    },
    stop() {
      if (mode !== 'inline') exit();
      mode = 'inline';
    },
  };
};

/** A card comes in by a few pixels, unless the user wants less motion; what covers the page is simply there. */
const slideIn = (wrapper: HTMLElement): void => {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  wrapper.animate([{ transform: 'translateY(8px)' }, { transform: 'none' }], {
    duration: 140,
    easing: 'ease-out',
  });
};

/** A place for Tab to land on that hands the focus on. */
const createFocusStop = (page: Document, onFocus: () => void): HTMLElement => {
  const stop = page.createElement('span');
  stop.tabIndex = 0;
  stop.setAttribute('aria-hidden', 'true');
  stop.style.position = 'absolute';
  stop.addEventListener('focus', onFocus);
  return stop;
};

/** What has the focus, in whatever shadow root it is. */
const readFocus = (page: Document): HTMLElement | undefined => {
  let focused = page.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused instanceof HTMLElement ? focused : undefined;
};

import type { DisplayMode } from '@casement/protocol';
import type { isAround } from '../focus/keyboard-lock.js';
import type { AppLayout } from './app-layout.js';

/** Holds an app that stands in front of its page in the browser's top layer. */
export interface TopLayer {
  /** Puts the app where its mode belongs. May be called at any time: only what differs is changed. */
  follow(mode: DisplayMode): void;
  leave(): void;
}

/** What is known of questions, by those who guard the keyboard. */
interface KeyboardLock {
  readonly isAround: typeof isAround;
  /** A selector. */
  readonly questions: string;
}

// What is in the top layer now, with the way to come out on top of it again.
const raised = new Map<HTMLElement, { readonly mode: DisplayMode; again(): void }>();

// A modal dialog or a popover closes with one of these; in a shadow root its own event is not heard out here.
const endings = ['close', 'toggle', 'focusin', 'pointerup', 'keyup'] as const;

let reset: CSSStyleSheet | undefined;

/**
 * Creates the control that puts one app into the browser's top layer (a manual popover) and takes it out again.
 *
 * A fixed element is cut off, or measured wrongly, by an ancestor with a transform, a filter, containment, opacity or a
 * stacking context of its own. In the top layer no ancestor matters. The DOM stays as it is, so the frame is not
 * reloaded.
 *
 * Three kinds of apps stay out of the top layer:
 * - an app for which the page has a place of its own: the page may want to put something above it;
 * - an app behind a modal dialog, such as a question: it would cover the dialog and take no clicks. It is raised when
 * the dialog closes;
 * - an app behind a question in a popover of the page: it would cover the question, or uncover it under a click.
 *
 * Those apps, and all apps in a browser without popovers, are placed over the page by style alone.
 */
export const createTopLayer = (layout: AppLayout, lock: KeyboardLock): TopLayer => {
  const { wrapper } = layout;
  const page = wrapper.ownerDocument;
  const isKnown = typeof wrapper.showPopover === 'function';
  let waiting: AbortController | undefined;
  let mode: DisplayMode = 'inline';

  const isRaised = (): boolean => isKnown && wrapper.matches(':popover-open');
  const isPlaced = (): boolean =>
    getComputedStyle(wrapper).getPropertyValue(`--mcp-app-${mode}-inset`).trim() !== '';
  const lower = (): void => {
    raised.delete(wrapper);
    if (isRaised()) wrapper.hidePopover();
    wrapper.removeAttribute('popover');
  };
  const leave = (): void => {
    waiting?.abort();
    waiting = undefined;
    if (isKnown) lower();
  };
  const wait = (): void => {
    if (waiting) return;
    waiting = new AbortController();
    const { signal } = waiting;
    const look = ({ type, target }: Event): void => {
      // An app that looks whether it can come is shown and hidden itself.
      if (type === 'toggle' && isApp(target)) return;
      // A task later: the dialog is still open while it is told that it closes.
      setTimeout(() => signal.aborted || raise());
    };
    for (const name of endings) page.addEventListener(name, look, { signal, capture: true, passive: true });
  };
  const raise = (): void => {
    wrapper.popover = 'manual';
    if (isRaised()) wrapper.hidePopover();
    const isBehind = isBehindQuestion(wrapper, lock);
    if (!isBehind) wrapper.showPopover();
    if (isBehind || !isReached(wrapper)) {
      lower();
      return wait();
    }
    waiting?.abort();
    waiting = undefined;
    raised.set(wrapper, { mode, again: raise });
    // What covers the page covers a card too, whichever came first.
    if (mode === 'pip')
      for (const other of [...raised.values()]) if (other.mode === 'fullscreen') other.again();
  };

  return {
    follow(next) {
      const isNew = next !== mode;
      mode = next;
      if (!isKnown || !wrapper.isConnected) return;
      if (mode === 'inline' || isPlaced()) return leave();
      if (isRaised() && !isNew) return;
      layout.adoptStyle((reset ??= createReset()));
      raise();
    },
    leave,
  };
};

/** What browsers give every popover is taken back; the page's own style sheets still win. */
const createReset = (): CSSStyleSheet => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    ':where([data-display-mode][popover]) { margin: 0; padding: 0; border: 0; overflow: visible; color: inherit; pointer-events: auto }',
  );
  return sheet;
};

const isApp = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.dataset.displayMode !== undefined;

/** A popover makes nothing inert: what is shown later would be above a question there. */
const isBehindQuestion = (wrapper: HTMLElement, { isAround, questions }: KeyboardLock): boolean =>
  [...wrapper.ownerDocument.querySelectorAll(':popover-open')].some(
    (shown) => shown.matches(questions) && !isApp(shown) && !isAround(shown, wrapper),
  );

/** What was shown last is on top of all; if the pointer does not meet it there, a modal dialog has made it inert. */
const isReached = (wrapper: HTMLElement): boolean => {
  const { left, top, width, height } = wrapper.getBoundingClientRect();
  const root = wrapper.getRootNode();
  if (!(root instanceof Document || root instanceof ShadowRoot)) return false;
  return wrapper.contains(root.elementFromPoint(left + width / 2, top + height / 2));
};

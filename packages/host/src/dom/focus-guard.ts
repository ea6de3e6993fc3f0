const recentTabMs = 500;
const recentTypingMs = 10_000;
const maxStrikes = 2;

/**
 * Keeps an app from taking the keyboard away while the user types in the host (T9, A43). No sandbox flag stops a
 * frame from focusing itself, so the host looks: when the frame has the focus although the user typed in a field of
 * the host a moment ago and neither the pointer nor the Tab key went to the app, the field gets it back; after the
 * second time the app is hidden. Without a hovering pointer a tap into the app cannot be told apart, so nothing is
 * done there.
 */
export const createFocusGuard = (options: {
  readonly wrapper: HTMLElement;
  frame(): HTMLIFrameElement | undefined;
  onStrike(strikes: number): void;
  /** Says why the app was hidden; the user calls `show` to see it again. */
  onHidden(show: () => void): void;
}): (() => void) => {
  const { wrapper } = options;
  const page = wrapper.ownerDocument;
  let field: HTMLElement | undefined;
  let isPointerOver = false;
  let lastTyped = -Infinity;
  let lastTab = -Infinity;
  let strikes = 0;

  const isWithin = (time: number, ms: number): boolean => performance.now() - time < ms;

  const check = (): void => {
    const frame = options.frame();
    if (!frame || !isFocused(frame) || !matchMedia('(hover: hover)').matches) return;
    if (!field?.isConnected || !isWithin(lastTyped, recentTypingMs)) return;
    if (isPointerOver || isWithin(lastTab, recentTabMs)) return;
    field.focus({ preventScroll: true });
    strikes += 1;
    options.onStrike(strikes);
    if (strikes >= maxStrikes) hide(frame);
  };
  const hide = (frame: HTMLIFrameElement): void => {
    if (frame.style.visibility === 'hidden') return;
    frame.style.visibility = 'hidden';
    options.onHidden(() => {
      strikes = 0;
      // The user went to the app on purpose: what was typed before is over.
      lastTyped = -Infinity;
      frame.style.visibility = 'visible';
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    if (key === 'Tab') lastTab = performance.now();
    // Enter often hands over to the app on purpose; typing is what produces text.
    const isTyping = key.length === 1 || key === 'Backspace' || key === 'Delete';
    // The field itself, also when it is in a shadow root.
    const [target] = event.composedPath();
    if (!isTyping || !(target instanceof HTMLElement) || !isEditable(target)) return;
    field = target;
    lastTyped = performance.now();
  };

  const controller = new AbortController();
  const { signal } = controller;
  page.addEventListener('keydown', onKeyDown, { signal, capture: true });
  wrapper.addEventListener('pointerenter', () => (isPointerOver = true), { signal });
  wrapper.addEventListener('pointerleave', () => (isPointerOver = false), { signal });
  // A task later: the browser is still moving the focus here, and a field focused now would only seem to have it.
  const onBlur = (): void => void setTimeout(check);
  window.addEventListener('blur', onBlur, { signal });
  return () => controller.abort();
};

/** Asked of the frame's own tree: to the document a frame in a shadow root is only the root's host. */
const isFocused = (frame: HTMLIFrameElement): boolean => {
  const root = frame.getRootNode();
  return (root instanceof Document || root instanceof ShadowRoot) && root.activeElement === frame;
};

const isEditable = (element: HTMLElement): boolean =>
  element.isContentEditable || element.matches('input, textarea, select');

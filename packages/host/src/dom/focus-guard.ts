const recentTabMs = 500;
const maxStrikes = 2;

/**
 * Keeps an app from taking the keyboard away while the user types in the host (T9). No sandbox flag stops a frame
 * from focusing itself, so the host looks: when the frame has the focus although a text field was in use and neither
 * the pointer nor the Tab key went there, the field gets it back; after the second time the app is hidden.
 */
export const createFocusGuard = (options: {
  readonly wrapper: HTMLElement;
  frame(): HTMLIFrameElement | undefined;
  onStrike(strikes: number): void;
}): (() => void) => {
  const { wrapper } = options;
  const page = wrapper.ownerDocument;
  let field: HTMLElement | undefined;
  let isPointerOver = false;
  let lastTab = -Infinity;
  let strikes = 0;

  const check = (): void => {
    const frame = options.frame();
    const taken = frame !== undefined && page.activeElement === frame;
    const isUsers = isPointerOver || performance.now() - lastTab < recentTabMs;
    if (!taken || isUsers || !field?.isConnected) return;
    field.focus({ preventScroll: true });
    strikes += 1;
    options.onStrike(strikes);
    if (strikes >= maxStrikes) hide();
  };
  const hide = (): void => {
    const frame = options.frame();
    if (!frame || frame.style.visibility === 'hidden') return;
    frame.style.visibility = 'hidden';
    const label = page.createElement('button');
    label.type = 'button';
    label.textContent =
      'This app was hidden because it took the keyboard while you were typing. Show it again';
    label.addEventListener('click', () => {
      strikes = 0;
      frame.style.visibility = 'visible';
      label.remove();
    });
    wrapper.prepend(label);
  };

  const controller = new AbortController();
  const { signal } = controller;
  page.addEventListener(
    'focusin',
    ({ target }) => {
      if (target === options.frame()) return check();
      field = target instanceof HTMLElement && isEditable(target) ? target : undefined;
    },
    { signal },
  );
  page.addEventListener(
    'keydown',
    ({ key }) => {
      if (key === 'Tab') lastTab = performance.now();
    },
    { signal, capture: true },
  );
  wrapper.addEventListener('pointerenter', () => (isPointerOver = true), { signal });
  wrapper.addEventListener('pointerleave', () => (isPointerOver = false), { signal });
  // The focus of a frame of another origin shows only as a blur of this window, in some browsers a task later.
  window.addEventListener(
    'blur',
    () => {
      check();
      setTimeout(check);
    },
    { signal },
  );
  return () => controller.abort();
};

const isEditable = (element: HTMLElement): boolean =>
  element.isContentEditable || element.matches('input, textarea, select');

import { keepKeyboard } from '../dom/focus/keyboard-lock.js';

/** A modal dialog with a head, a button that closes it, and a place for what is shown. */
export interface DialogFrame {
  readonly place: HTMLElement;
  onClose(listener: () => void): void;
  /** Out of sight; the focus goes back where it was. What is in the place stays until `remove`. */
  close(): void;
  remove(): void;
}

/** Shows an empty dialog; its two titles are a heading and its name. */
export const createDialogFrame = (options: {
  readonly className: string;
  readonly title: string;
  /** The app's own title. It stands after the title and has its own class, because these are not the host's words. */
  readonly ownTitle: string;
  readonly close: string;
  readonly container: HTMLElement;
}): DialogFrame => {
  const { className, title, ownTitle, container } = options;
  const page = container.ownerDocument;
  const dialog = page.createElement('dialog');
  const head = page.createElement('div');
  const heading = page.createElement('h2');
  const button = page.createElement('button');
  const place = page.createElement('div');
  dialog.className = className;
  dialog.setAttribute('aria-label', `${title}, ${ownTitle}`);
  head.className = `${className}-head`;
  const own = page.createElement('span');
  own.className = `${className}-own-title`;
  own.textContent = ownTitle;
  heading.append(`${title}, `, own);
  button.type = 'button';
  button.textContent = options.close;
  button.addEventListener('click', () => dialog.close());
  place.className = `${className}-place`;
  head.append(heading, button);
  dialog.append(head, place);

  const focused = page.activeElement;
  const listening = new AbortController();
  const { signal } = listening;
  signal.addEventListener('abort', keepKeyboard(dialog, button));
  container.append(dialog);
  dialog.showModal();

  return {
    place,
    onClose: (listener) => dialog.addEventListener('close', listener, { signal }),
    close() {
      listening.abort();
      dialog.close();
      // Browsers give the focus back to an element, but not to the frame of the widget that asked.
      const holder = page.activeElement;
      const isLost = !holder || holder === page.body || dialog.contains(holder);
      if (isLost && focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    },
    remove: () => dialog.remove(),
  };
};

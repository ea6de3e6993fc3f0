import { createButton, createElement } from './elements.js';

/** Something that may be longer than its place. */
export interface LongContent {
  /** The place, below a note that says when not all of it is in sight. */
  readonly elements: readonly HTMLElement[];
  /** Whether all of it was in sight. */
  isSeen(): boolean;
  /** Looks whether it fits; to be called when it is on the page or its place changed. */
  measure(): void;
}

/**
 * Shows a place that scrolls, and above it, where nobody overlooks it, that it holds more than is in sight, with a button
 * that shows all of it: a yes to a text nobody saw is none.
 */
export const createLongContent = (
  box: HTMLElement,
  options: {
    readonly note: string;
    readonly showAll: string;
    /** The name of the place: a region that scrolls has to be reachable by keyboard, and have a name. */
    readonly name: string;
    /** Puts the whole content into the place; absent where it is there already. */
    fill?(): void;
    onShowAll(): void;
    onSeen(): void;
  },
): LongContent => {
  const page = box.ownerDocument;
  const note = createElement(page, 'div', 'cut');
  const button = createButton(page, 'show-all', options.showAll);
  let { fill } = options;
  let isSeen = false;
  let isWhole = false;
  box.tabIndex = 0;
  // A list stays one.
  if (!box.matches('ul')) box.setAttribute('role', 'group');
  box.setAttribute('aria-label', options.name);
  note.append(createElement(page, 'span', '', options.note), button);
  note.hidden = true;

  const measure = (): void => {
    const isAtEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - 4;
    if (isSeen) return;
    isSeen = fill === undefined && isAtEnd;
    if (isSeen) options.onSeen();
    // Whoever reads on by scrolling keeps the note: what stands below it must not jump.
    else note.hidden = isWhole;
  };
  box.addEventListener('scroll', measure);
  button.addEventListener('click', () => {
    fill?.();
    fill = undefined;
    isWhole = true;
    note.hidden = true;
    box.classList.add('whole');
    options.onShowAll();
    box.focus();
    measure();
  });
  return { elements: [note, box], isSeen: () => isSeen, measure };
};

interface Lock {
  readonly question: HTMLElement;
  readonly home: HTMLElement;
}

/** What counts as a question, of the host or of the page. */
export const questions = 'dialog[open], [role="dialog"], [role="alertdialog"], [data-mcp-question]';

const locks: Lock[] = [];

/**
 * While a question is open no app behind it gets the keyboard (T9): a frame can take the focus although it is inert,
 * so the guard of each app asks here. Gives back what ends it.
 */
export const keepKeyboard = (question: HTMLElement, home: HTMLElement): (() => void) => {
  const lock: Lock = { question, home };
  locks.push(lock);
  return () => void locks.splice(locks.indexOf(lock), 1);
};

/** The latest open question that this app is not part of, with the element that has the keyboard if none else has. */
export const findLock = (app: HTMLElement): Lock | undefined =>
  locks.findLast(({ question }) => !isAround(question, app));

/** Whether a node is inside an element, in whatever shadow root. */
export const isAround = (element: Element, node: Node): boolean => {
  const root = node.getRootNode();
  return element.contains(node) || (root instanceof ShadowRoot && isAround(element, root.host));
};

/** An element with a class and, if given, text: never markup. */
export const createElement = <K extends keyof HTMLElementTagNameMap>(
  page: Document,
  tag: K,
  className: string,
  text = '',
): HTMLElementTagNameMap[K] => {
  const element = page.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
};

/** A button that submits nothing. */
export const createButton = (page: Document, className: string, label: string): HTMLButtonElement => {
  const button = createElement(page, 'button', className, label);
  button.type = 'button';
  return button;
};

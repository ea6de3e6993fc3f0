/** An element with a class and, if given, text: never markup. */
export const toElement = <K extends keyof HTMLElementTagNameMap>(
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
export const toButton = (page: Document, className: string, label: string): HTMLButtonElement => {
  const button = toElement(page, 'button', className, label);
  button.type = 'button';
  return button;
};

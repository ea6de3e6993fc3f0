/** Finds an element of our own page by id, with its class checked. */
export const element = <E extends Element>(id: string, kind: new () => E): E => {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no ${kind.name} called ${id}.`);
  return found;
};

/** Makes an element that holds text and nothing else. */
export const textElement = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  text: string,
  className = '',
): HTMLElementTagNameMap[K] => {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className) made.className = className;
  return made;
};

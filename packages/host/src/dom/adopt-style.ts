/** Gives a tree a style sheet once; a node that is in no document has none. Rules in `:where()` lose to any of the page. */
export const adoptStyle = (root: Node, sheet: CSSStyleSheet): void => {
  const isTree = root instanceof Document || root instanceof ShadowRoot;
  if (isTree && !root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
};

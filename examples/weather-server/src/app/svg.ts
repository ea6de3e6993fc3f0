const namespace = 'http://www.w3.org/2000/svg';

/** Builds an SVG element from its attributes and children. */
export const svg = (
  name: string,
  attributes: Record<string, string | number> = {},
  ...children: Element[]
): SVGElement => {
  // createElementNS knows no literal type for a name that comes as a string.
  const element = document.createElementNS(namespace, name) as SVGElement;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
};

/**
 * Whether the page around this one can be of this origin, as far as the browser tells. It is an early no, never a yes:
 * some browsers do not tell at all, and the HTML standard lets a browser say "null" for a page that is asked to send no
 * referrer, which the frames of ours are (Firefox does). What decides is the `frame-ancestors` of this page's policy and
 * the exact target origin of every message.
 */
export const mayHaveParent = (origin: string): boolean => {
  const told = window.location.ancestorOrigins?.[0];
  return told === undefined || told === 'null' || told === origin;
};

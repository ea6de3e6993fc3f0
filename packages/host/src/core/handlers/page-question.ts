let open: symbol | undefined;

/** Takes the page's one place for a question (T20, E08); undefined while another question is open, of any app. */
export const openQuestion = (): (() => void) | undefined => {
  if (open) return undefined;
  const mine = Symbol('question');
  open = mine;
  return () => {
    if (open === mine) open = undefined;
  };
};

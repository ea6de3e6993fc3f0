/** Finds an element of our own page by id, with its class checked. */
export const element = <E extends Element>(id: string, kind: new () => E): E => {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no ${kind.name} called ${id}.`);
  return found;
};

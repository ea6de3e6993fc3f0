/** What a link to the page asks for. */
export interface DeepLink {
  server?: string;
  tool?: string;
  /** JSON as it stood in the address; checked when it is used. */
  args?: string;
  run: boolean;
}

const tokenKey = 'casement.token';

const names = ['server', 'tool', 'args', 'run'] as const;

const toDeepLink = (query: URLSearchParams): DeepLink => {
  // Who appends to an address means the appended value.
  const [server, tool, args, run] = names.map((name) => query.getAll(name).at(-1));
  return {
    ...(server ? { server } : {}),
    ...(tool ? { tool } : {}),
    ...(args ? { args } : {}),
    run: run === '1',
  };
};

const toParameters = (part: string): URLSearchParams => new URLSearchParams(part.replace(/^[?#]/, ''));

/** Reads what an address asks for: its query, or, when that names nothing, the fragment beside the token. */
export const readDeepLink = ({ search, hash }: { search: string; hash: string }): DeepLink => {
  const query = toParameters(search);
  const fragment = toParameters(hash);
  const fromFragment = fragment.has('token') && !names.some((name) => query.has(name));
  return toDeepLink(fromFragment ? fragment : query);
};

/** Writes a selection into a query, so that the address reproduces the view; running is never part of it. */
export const toQuery = (search: string, selection: Omit<DeepLink, 'run'>): string => {
  const query = new URLSearchParams(search);
  query.delete('run');
  for (const name of ['server', 'tool', 'args'] as const) {
    const value = selection[name];
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return text ? `?${text}` : '';
};

/** The token in a fragment, if there is one. */
export const readFragmentToken = (hash: string): string | undefined =>
  toParameters(hash).get('token') ?? undefined;

/** Keeps the token for this tab and takes it out of the address and its history entry at once (T15). */
export const consumeFragmentToken = (): string | undefined => {
  const token = readFragmentToken(location.hash);
  if (token === undefined) return undefined;
  history.replaceState(history.state, '', `${location.pathname}${location.search}`);
  sessionStorage.setItem(tokenKey, token);
  return token;
};

/** The token an earlier load of this tab kept. */
export const readKeptToken = (): string | undefined => sessionStorage.getItem(tokenKey) ?? undefined;

/** Forgets a token the gateway no longer takes. */
export const forgetToken = (): void => sessionStorage.removeItem(tokenKey);

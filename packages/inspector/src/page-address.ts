/** What a link to the page asks for. */
export interface DeepLink {
  server?: string;
  tool?: string;
  /** JSON as it stood in the address; checked when it is used. */
  args?: string;
  run: boolean;
}

const tokenKey = 'casement.token';

const callNames = ['server', 'tool', 'args', 'run'] as const;

/** The parameters that say how the page looks, not what it calls. */
const viewNames = ['view', 'model', 'tab', 'filter', 'theme', 'width', 'locale', 'stream'] as const;

/** What the address carries to reproduce a view; `run` is deliberately not part of it. */
export type AddressValues = Partial<
  Record<Exclude<(typeof callNames)[number], 'run'> | (typeof viewNames)[number], string>
>;

// Who appends to an address means the appended value.
const readLast = (query: URLSearchParams, name: string): string | undefined =>
  query.getAll(name).at(-1) || undefined;

const toDeepLink = (query: URLSearchParams): DeepLink => {
  const [server, tool, args, run] = callNames.map((name) => readLast(query, name));
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
  const fromFragment = fragment.has('token') && !callNames.some((name) => query.has(name));
  return toDeepLink(fromFragment ? fragment : query);
};

/** Reads how an address wants the page to look; values are checked where they are used. */
export const readViewAddress = (search: string): Partial<Record<(typeof viewNames)[number], string>> => {
  const query = toParameters(search);
  return Object.fromEntries(
    viewNames.flatMap((name) => {
      const value = readLast(query, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
};

/** Writes a view into a query, so that the address reproduces it; foreign parameters stay, running never does. */
export const toQuery = (search: string, values: AddressValues): string => {
  const query = new URLSearchParams(search);
  query.delete('run');
  for (const name of [...callNames, ...viewNames]) {
    if (name === 'run') continue;
    const value = values[name];
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

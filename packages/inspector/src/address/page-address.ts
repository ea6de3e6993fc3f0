import type { Readable } from '../store.js';

/** What a link to the page asks for. */
export interface DeepLink {
  server?: string;
  tool?: string;
  /** JSON as it stood in the address; checked when it is used. */
  args?: string;
  run: boolean;
}

const quietMs = 150;
const tabKey = 'casement.tab-key';

const callNames = ['server', 'tool', 'args', 'run'] as const;

/** The parameters that say how the page looks, not what it calls. */
const viewNames = [
  'view',
  'model',
  'tab',
  'filter',
  'theme',
  'width',
  'locale',
  'stream',
  'messages',
  'storage',
] as const;

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

/** Reads what an address asks for: its query, or, when that names nothing, the fragment beside the code or token. */
export const readDeepLink = ({ search, hash }: { search: string; hash: string }): DeepLink => {
  const query = toParameters(search);
  const fragment = toParameters(hash);
  const fromFragment = readCarriedAccess(hash) !== undefined && !callNames.some((name) => query.has(name));
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

/** Keeps the address in step with what the page shows, now and whenever one of the stores changes. */
export const writeAddress = (
  read: () => AddressValues,
  stores: readonly Pick<Readable<unknown>, 'subscribe'>[],
): void => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = (): void => {
    timer = undefined;
    const query = toQuery(location.search, read());
    if (query !== location.search || location.hash)
      history.replaceState(history.state, '', `${location.pathname}${query}`);
  };
  // Browsers refuse a page that rewrites its address at every key.
  const later = (): void => {
    timer ??= setTimeout(write, quietMs);
  };
  for (const { subscribe } of stores) subscribe(later);
  write();
};

/** What opens the gateway, as a fragment carries it: a code of the command line, or the token itself from a program. */
export interface CarriedAccess {
  readonly code?: string;
  readonly token?: string;
}

const accessNames = ['code', 'token'] as const;

/** What a fragment carries to open the gateway, if it does. */
export const readCarriedAccess = (hash: string): CarriedAccess | undefined => {
  const fragment = toParameters(hash);
  const [code, token] = accessNames.map((name) => fragment.get(name) || undefined);
  if (code !== undefined) return { code };
  return token === undefined ? undefined : { token };
};

/** Takes what opens the gateway out of the address; the browser keeps the visit, so it never is the token (T15). */
export const clearFragment = (): void => {
  if (readCarriedAccess(location.hash) === undefined) return;
  history.replaceState(history.state, '', `${location.pathname}${location.search}`);
};

/** The same address with a fresh code; a link that did not carry access itself may not run anything (C18). */
export const toMovedAddress = (address: string, code: string, isTrusted: boolean): string => {
  const url = new URL(address);
  const fragment = isTrusted ? toParameters(url.hash) : new URLSearchParams();
  for (const name of accessNames) fragment.delete(name);
  if (!isTrusted) url.searchParams.delete('run');
  url.hash = new URLSearchParams([['code', code], ...fragment]).toString();
  return url.href;
};

/** Keeps the key of this tab for its reloads; the browser writes it to its profile, which is why it is not the token. */
export const keepTabKey = (key: string): void => sessionStorage.setItem(tabKey, key);

/** The key an earlier load of this tab kept. */
export const readTabKey = (): string | undefined => sessionStorage.getItem(tabKey) ?? undefined;

/** Forgets a key the gateway no longer takes. */
export const forgetTabKey = (): void => sessionStorage.removeItem(tabKey);

/** What the user decided for good: kept per kind of question, server and, for links, origin (E11). */
export interface ConsentMemory {
  has(key: ConsentKey): boolean;
  remember(key: ConsentKey): void;
  /** Takes back everything remembered for a server, or everything. */
  forget(server?: string): void;
  keys(): readonly ConsentKey[];
}

/** One remembered yes. */
export interface ConsentKey {
  readonly kind: 'link' | 'message' | 'download' | 'sampling' | 'tool-call';
  /** The server's identity, not its name: another server may call itself the same. */
  readonly server: string;
  /** The origin of a link; of a tool the hash of what it says of itself, a space and its name; empty otherwise. */
  readonly scope: string;
}

/** The part of localStorage a memory needs. */
export interface ConsentStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const storageKey = 'casement.consents';
const maxKeys = 500;
const maxPart = 2048;
const kinds: ReadonlySet<unknown> = new Set(['link', 'message', 'download', 'sampling', 'tool-call']);

/**
 * A memory that lives as long as the page, or in `storage`. Storage is read anew each time, so that what was taken
 * back in another tab no longer holds here; what cannot be read or written there is as if it had not been said.
 */
export const createConsentMemory = (storage?: ConsentStorage): ConsentMemory => {
  let own: readonly ConsentKey[] = [];

  const read = (): readonly ConsentKey[] => {
    if (!storage) return own;
    try {
      return parseKeys(storage.getItem(storageKey));
    } catch {
      return [];
    }
  };
  const write = (keys: readonly ConsentKey[]): void => {
    own = keys;
    try {
      if (keys.length === 0) storage?.removeItem(storageKey);
      else storage?.setItem(storageKey, JSON.stringify(keys));
    } catch {
      // Full or forbidden: the user is asked again another time.
    }
  };

  return {
    has: (key) => read().some((known) => isSame(known, key)),
    remember(key) {
      if (!isKey(key)) return;
      const { kind, server, scope } = key;
      const others = read().filter((known) => !isSame(known, key));
      // The oldest go first: a user who said yes five hundred times may be asked again.
      write([...others, { kind, server, scope }].slice(-maxKeys));
    },
    forget: (server) => write(server === undefined ? [] : read().filter((known) => known.server !== server)),
    keys: read,
  };
};

let pageMemory: ConsentMemory | undefined;

/** The memory of sessions that were given none: one for the page, gone with it. */
export const toPageMemory = (): ConsentMemory => (pageMemory ??= createConsentMemory());

const isSame = (one: ConsentKey, other: ConsentKey): boolean =>
  one.kind === other.kind && one.server === other.server && one.scope === other.scope;

/** Whatever else writes under this key, only well-formed entries count. */
const parseKeys = (text: string | null): readonly ConsentKey[] => {
  if (text === null || text.length > maxKeys * maxPart * 2) return [];
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? value.filter(isKey).slice(-maxKeys) : [];
};

const isKey = (value: unknown): value is ConsentKey => {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, server, scope } = value as Partial<Record<keyof ConsentKey, unknown>>; // read key by key below
  return kinds.has(kind) && isPart(server) && server !== '' && isPart(scope);
};

const isPart = (value: unknown): value is string => typeof value === 'string' && value.length <= maxPart;

import { isRecord } from '../is-record.js';
import type { MetadataFinding } from '../metadata/metadata.js';

const consentKinds = ['link', 'message', 'download', 'sampling', 'tool-call', 'tool', 'app'] as const;
const consentSettings = ['always', 'never', 'ask'] as const;

/** What a choice of the user is about: a wish of apps, or calls of the model (`tool`, `app`). */
export interface ConsentKey {
  readonly kind: (typeof consentKinds)[number];
  /** The server's identity, not its name: another server may call itself the same. */
  readonly server: string;
  /** The origin of a link, a tool's name, the address of an app; empty where it is for the whole server. */
  readonly scope: string;
  /** A hash of what a tool says of itself; a choice without one holds whatever it says. */
  readonly definition?: string;
}

/** The choice: always, never, or `ask`, which asks even where no question would be needed. */
type ConsentSetting = (typeof consentSettings)[number];

/** One remembered choice of the user. */
export interface ConsentChoice extends ConsentKey {
  readonly setting: ConsentSetting;
}

/** The part of localStorage a store needs. */
export interface ConsentStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** All remembered choices of the user, for apps and for calls of the model. */
export interface ConsentStore {
  get(key: ConsentKey): ConsentSetting | undefined;
  /** Undefined takes the choice back. */
  set(key: ConsentKey, setting: ConsentSetting | undefined): void;
  /** Whether the user chose "always" for this key. */
  has(key: ConsentKey): boolean;
  remember(key: ConsentKey): void;
  /** Takes back everything settled for a server, by its identity, or everything. */
  forget(server?: string): void;
  /** The keys for which the user chose "always". */
  keys(): readonly ConsentKey[];
  /** All that was settled; the same object as long as nothing changed. */
  list(): readonly ConsentChoice[];
  /** What of the storage could not be read; it is kept aside, and the same object as long as nothing changed. */
  problems(): readonly MetadataFinding[];
  /** Throws away what could not be read. */
  discardUnreadable(): void;
  /** Told of every change, here and, in a browser, in other tabs. */
  subscribe(listener: () => void): () => void;
}

const storageKey = 'casement.consents';
/** Written by earlier versions for calls of the model; read on until something is written. */
const earlierKey = 'casement.approvals';
const asideKeys = Array.from({ length: 8 }, (_, index) => `casement.consents.unreadable-${index + 1}`);
const maxChoices = 500;
const maxPart = 2048;
const maxText = maxChoices * maxPart * 3;

/** A storage as it was read: what is understood, and what is not and must not get lost. */
interface Reading {
  readonly texts: readonly (string | null)[];
  readonly choices: readonly ConsentChoice[];
  readonly unreadable: readonly string[];
  readonly problems: readonly MetadataFinding[];
}

/**
 * A store that lives as long as the page, or in `storage`. Storage is read anew each time, so that what was taken back in
 * another tab no longer holds here. What cannot be written holds for this page; what cannot be read is put aside under a
 * key of its own before anything is written over it. `onElsewhere` tells of changes in other tabs.
 */
export const createConsentStore = (
  storage: ConsentStorage = createPageStorage(),
  onElsewhere?: (listener: () => void) => () => void,
): ConsentStore => {
  const listeners = new Set<() => void>();
  let leave: (() => void) | undefined;
  let last: Reading | undefined;
  const tell = (): void => [...listeners].forEach((listener) => listener());

  const read = (): Reading => {
    const texts = [storageKey, earlierKey, ...asideKeys].map((key) => readText(storage, key));
    // What could not be written holds as long as nobody wrote something else.
    const isSame = last && texts.every((text, index) => text === last?.texts[index]);
    return (last = isSame && last ? last : toReading(texts));
  };
  const write = (choices: readonly ConsentChoice[]): void => {
    const { texts, unreadable, problems } = read();
    try {
      for (const text of unreadable) putAside(storage, text);
      if (choices.length === 0) storage.removeItem(storageKey);
      else storage.setItem(storageKey, JSON.stringify(choices));
      storage.removeItem(earlierKey);
    } catch {
      // Full or forbidden: it holds for this page, and the user is asked again another time.
      last = { texts, choices, unreadable, problems };
    }
    tell();
  };
  const isNot = (key: ConsentKey) => (choice: ConsentKey) => !isSameKey(choice, key);

  const store: ConsentStore = {
    get: (key) => read().choices.findLast((choice) => isSameKey(choice, key))?.setting,
    set(key, setting) {
      const choice = setting && toChoice({ ...key, setting });
      if (setting && !choice) return;
      // The oldest go first: who settled five hundred things may be asked again.
      const others = read().choices.filter(isNot(key));
      write((choice ? [...others, choice] : others).slice(-maxChoices));
    },
    has: (key) => store.get(key) === 'always',
    remember: (key) => store.set(key, 'always'),
    forget: (server) =>
      write(server === undefined ? [] : read().choices.filter((choice) => choice.server !== server)),
    keys: () => read().choices.flatMap(({ setting, ...key }) => (setting === 'always' ? [key] : [])),
    list: () => read().choices,
    problems: () => read().problems,
    discardUnreadable() {
      const { choices, unreadable } = read();
      if (unreadable.length > 0) write(choices);
      try {
        for (const key of asideKeys) storage.removeItem(key);
      } catch {
        // A storage that is closed holds nothing of it.
      }
      tell();
    },
    subscribe(listener) {
      listeners.add(listener);
      leave ??= onElsewhere?.(tell);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        leave?.();
        leave = undefined;
      };
    },
  };
  return store;
};

const createPageStorage = (): ConsentStorage => {
  const texts = new Map<string, string>();
  return {
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => void texts.set(key, text),
    removeItem: (key) => void texts.delete(key),
  };
};

/** A storage that is closed is an empty one. */
const readText = (storage: ConsentStorage, key: string): string | null => {
  try {
    return storage.getItem(key);
  } catch {
    return null;
  }
};

const toReading = (texts: readonly (string | null)[]): Reading => {
  const [now = null, earlier = null, ...aside] = texts;
  const read = parseChoices(now, 'always');
  const before = parseChoices(earlier, undefined);
  const unreadable = [...read.unreadable, ...before.unreadable];
  // What was said later counts.
  const choices = [
    ...before.choices.filter((old) => !read.choices.some((choice) => isSameKey(choice, old))),
    ...read.choices,
  ];
  const places = [
    ...(read.unreadable.length > 0 ? [storageKey] : []),
    ...(before.unreadable.length > 0 ? [earlierKey] : []),
    ...asideKeys.filter((_, index) => typeof aside[index] === 'string'),
  ];
  return { texts, choices: choices.slice(-maxChoices), unreadable, problems: places.map(toProblem) };
};

/** Entries that are well formed count; a text with others in it is also kept as it is. */
const parseChoices = (
  text: string | null,
  setting: ConsentSetting | undefined,
): { choices: readonly ConsentChoice[]; unreadable: readonly string[] } => {
  if (text === null) return { choices: [], unreadable: [] };
  const value = text.length > maxText ? undefined : parseJson(text);
  if (!Array.isArray(value)) return { choices: [], unreadable: [text] };
  // Earlier versions wrote no setting for what apps were allowed.
  const choices = value.flatMap((item) =>
    isRecord(item)
      ? (toChoice({ ...(setting && !Object.hasOwn(item, 'setting') ? { setting } : {}), ...item }) ?? [])
      : [],
  );
  return { choices, unreadable: choices.length === value.length ? [] : [text] };
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Reads one stored choice, with its known members only; undefined if it is not valid. */
const toChoice = (value: Readonly<Record<string, unknown>>): ConsentChoice | undefined => {
  const { server, scope, definition } = value;
  const kind = consentKinds.find((known) => known === value.kind);
  const setting = consentSettings.find((known) => known === value.setting);
  if (!kind || !setting || !isPart(server) || server === '' || !isPart(scope)) return undefined;
  if (definition !== undefined && !isPart(definition)) return undefined;
  return { kind, server, scope, ...(definition === undefined ? {} : { definition }), setting };
};

const isPart = (value: unknown): value is string => typeof value === 'string' && value.length <= maxPart;

const isSameKey = (one: ConsentKey, other: ConsentKey): boolean =>
  one.kind === other.kind &&
  one.server === other.server &&
  one.scope === other.scope &&
  one.definition === other.definition;

/** Stores an unreadable text under the first free key, unless it is stored already. */
const putAside = (storage: ConsentStorage, text: string): void => {
  const held = asideKeys.map((key) => storage.getItem(key));
  if (held.includes(text)) return;
  const free = asideKeys[held.indexOf(null)];
  // Nothing is written over: a storage in which nothing can be put aside stays as it is.
  if (free === undefined) throw new Error('no key is free');
  storage.setItem(free, text);
};

const toProblem = (path: string): MetadataFinding => ({
  code: 'consents-unreadable',
  message: `Remembered choices could not be read, or not all of them (${path} in this browser's storage). They do not hold; the text is kept.`,
  fix: 'Look at the text under that key, or discard it; what it said is asked about again.',
  path,
});

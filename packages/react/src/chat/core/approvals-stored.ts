import { isRecord } from '@casement/protocol/basics';
import type { ApprovalKey, ApprovalMemory, ApprovalSetting } from './approvals.js';

/** The part of localStorage that settings need. */
export interface ApprovalStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** One thing the user settled. */
export interface StoredApproval extends ApprovalKey {
  readonly setting: ApprovalSetting;
}

/** A memory that can be shown and taken back. */
export interface StoredApprovals extends ApprovalMemory {
  list(): readonly StoredApproval[];
  /** Takes back everything settled for a server, by its identity, or everything. */
  forget(server?: string): void;
}

const storageKey = 'casement.approvals';
const maxEntries = 500;
const maxPart = 2048;
const kinds: ReadonlySet<unknown> = new Set(['app', 'tool']);
const settings: ReadonlySet<unknown> = new Set(['always', 'never', 'ask']);

/**
 * A memory that survives the page. It is read anew each time, so that what was taken back in another tab no longer
 * holds here; what cannot be read or written is as if it had not been said.
 */
export const createStoredApprovals = (storage: ApprovalStorage): StoredApprovals => {
  const read = (): readonly StoredApproval[] => {
    try {
      return parseEntries(storage.getItem(storageKey));
    } catch {
      return [];
    }
  };
  const write = (entries: readonly StoredApproval[]): void => {
    try {
      if (entries.length === 0) storage.removeItem(storageKey);
      else storage.setItem(storageKey, JSON.stringify(entries));
    } catch {
      // Full or forbidden: the user is asked again another time.
    }
  };
  return {
    get: (key) => read().findLast((entry) => isSame(entry, key))?.setting,
    set(key, setting) {
      const others = read().filter((entry) => !isSame(entry, key));
      const entry = toEntry({ ...key, setting });
      // The oldest go first: who settled five hundred things may be asked again.
      write((entry ? [...others, entry] : others).slice(-maxEntries));
    },
    list: read,
    forget: (server) => write(server === undefined ? [] : read().filter((entry) => entry.server !== server)),
  };
};

const isSame = (one: ApprovalKey, other: ApprovalKey): boolean =>
  one.kind === other.kind &&
  one.server === other.server &&
  one.scope === other.scope &&
  one.definition === other.definition;

const parseEntries = (text: string | null): readonly StoredApproval[] => {
  if (text === null || text.length > maxEntries * maxPart * 3) return [];
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value)) return [];
  return value.flatMap((item) => toEntry(item) ?? []).slice(-maxEntries);
};

/** Whatever else writes under this key, only what is well formed counts. */
const toEntry = (value: unknown): StoredApproval | undefined => {
  if (!isRecord(value)) return undefined;
  const { kind, server, scope, definition, setting } = value;
  if (!kinds.has(kind) || !settings.has(setting) || !isPart(server) || !isPart(scope)) return undefined;
  if (definition !== undefined && !isPart(definition)) return undefined;
  return {
    kind: kind as ApprovalKey['kind'], // one of the two above
    server,
    scope,
    ...(definition === undefined ? {} : { definition }),
    setting: setting as ApprovalSetting, // one of the three above
  };
};

const isPart = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= maxPart;

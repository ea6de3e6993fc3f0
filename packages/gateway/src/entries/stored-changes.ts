import { toPrintable } from '@casement/protocol/basics';
import { CasementError } from '@casement/protocol/start';
import type { EntryDraft } from '../facts/server-entry.js';
import { toEntryConfig, toEntryInputs, toKeyText, type Entry, type EntryKey } from './entry.js';
import type { Stored } from './kept-contents.js';
import { MAX_ENTRIES } from './parse-entries.js';

/*
 * What the user can do to what is kept. Each makes another state of the one that was just read, since another gateway may have
 * saved something in between.
 */

const without = <T>(map: ReadonlyMap<string, T>, key: string): Map<string, T> =>
  new Map([...map].filter(([one]) => one !== key));

const toUnusedName = (name: string, isTaken: (name: string) => boolean): string => {
  let unused = name;
  for (let count = 2; isTaken(unused); count += 1) unused = `${name}-${count}`;
  return unused;
};

/** Keeps new entries, unconfirmed; a name that is taken gets a number. */
export const addEntries = (
  before: Stored,
  drafts: readonly EntryDraft[],
  isTaken: (name: string) => boolean,
): { stored: Stored; keys: string[] } => {
  const names = new Set(before.servers.map(({ config }) => config.name));
  const added = drafts.map((draft): Entry => {
    const name = toUnusedName(draft.name, (one) => names.has(one) || isTaken(one));
    names.add(name);
    const config = toEntryConfig({ ...draft, name });
    const inputs = toEntryInputs(config, draft.inputs);
    return { key: ['kept', name], config, inputs, given: new Map(), enabled: true };
  });
  const servers = [...before.servers, ...added];
  if (servers.length > MAX_ENTRIES) {
    throw new CasementError('entry-invalid', `At most ${MAX_ENTRIES} servers are kept.`, {
      hint: 'Remove some first.',
    });
  }
  return { stored: { ...before, servers }, keys: added.map(({ key }) => toKeyText(key)) };
};

/** Changes an entry, and its name where that is another; what it was given goes along, a yes does not. */
export const changeEntry = (
  before: Stored,
  old: string,
  draft: EntryDraft,
  isTaken: (name: string) => boolean,
): { stored: Stored; key: string } => {
  const at = before.servers.findIndex((one) => toKeyText(one.key) === old);
  const entry = before.servers[at];
  if (entry === undefined) throw new CasementError('entry-unknown', 'The entry is gone.');
  const isOthers = (name: string): boolean =>
    before.servers.some((other, index) => index !== at && other.config.name === name);
  const isSame = draft.name === entry.config.name;
  const name = isSame ? draft.name : toUnusedName(draft.name, (one) => isOthers(one) || isTaken(one));
  const config = toEntryConfig({ ...draft, name }, entry.config);
  const inputs = toEntryInputs(config, draft.inputs ?? entry.inputs);
  const changed: Entry = { ...entry, key: ['kept', name], config, inputs };
  const key = toKeyText(changed.key);
  const stored: Stored = {
    ...before,
    servers: before.servers.with(at, changed),
    order: before.order.map((one) => (one === old ? key : one)),
    given: new Map([...before.given].map(([one, held]) => [one === old ? key : one, held])),
    // A yes was said to an entry of that name.
    confirmed: isSame ? before.confirmed : without(before.confirmed, old),
  };
  return { stored, key };
};

/** What an entry has been given, with what is given now; throws while something it refers to is missing. */
export const takeInputs = (
  { inputs, given }: Entry,
  more: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> => {
  const known = new Set(inputs.map(({ id }) => id));
  const all = new Map([...given, ...[...more].filter(([id]) => known.has(id))]);
  const missing = inputs.find(({ id }) => !all.has(id));
  if (missing === undefined) return all;
  throw new CasementError('entry-invalid', `It needs a value for "${toPrintable(missing.id, 100)}".`, {
    hint: 'Give the value with the yes.',
  });
};

/** Writes down a yes, and what was given with it. */
export const confirmEntry = (
  before: Stored,
  key: string,
  given: ReadonlyMap<string, string>,
  hash: string,
): Stored => ({
  ...before,
  servers: before.servers.map((one) => (toKeyText(one.key) === key ? { ...one, given } : one)),
  given: new Map([...without(before.given, key), [key, given]]),
  confirmed: new Map([...without(before.confirmed, key), [key, hash]]),
});

/** Switches an entry on or off; of one of a config file only that it is off is kept. */
export const enableEntry = (before: Stored, entryKey: EntryKey, enabled: boolean): Stored => {
  const key = toKeyText(entryKey);
  const switchedOff = new Set(before.switchedOff);
  if (entryKey[0] === 'file' && !enabled) switchedOff.add(key);
  else switchedOff.delete(key);
  const servers = before.servers.map((one) => (toKeyText(one.key) === key ? { ...one, enabled } : one));
  return { ...before, servers, switchedOff };
};

/** Forgets an entry with everything that is kept of it. */
export const removeEntry = (before: Stored, key: string): Stored => ({
  ...before,
  servers: before.servers.filter((one) => toKeyText(one.key) !== key),
  order: before.order.filter((one) => one !== key),
  given: without(before.given, key),
  confirmed: without(before.confirmed, key),
});

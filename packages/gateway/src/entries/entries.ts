import { CasementError } from '@casement/protocol/start';
import type { GatewayEvent } from '../facts/gateway-event.js';
import type { EntryDraft, EntryProblem, EntryView } from '../facts/server-entry.js';
import type { HeldStatus, ServerSummary } from '../facts/server-summary.js';
import type { GatewayServer } from '../servers/gateway-server.js';
import type { ServerSet } from '../servers/server-set.js';
import { openConfigFile, type ConfigFile } from './config-file.js';
import {
  findMissingInputs,
  hashEntry,
  resolveEntry,
  toEntryDraft,
  toEntryView,
  toKeyText,
  type Entry,
} from './entry.js';
import type { Stored } from './kept-contents.js';
import { parseEntryText } from './parse-entries.js';
import { createEntryStore, type EntryStore } from './store.js';
import {
  addEntries,
  changeEntry,
  confirmEntry,
  enableEntry,
  removeEntry,
  takeInputs,
} from './stored-changes.js';

/** The configured servers of a gateway: those of a config file and those that are kept. */
export interface Entries {
  /** The names they have where they are configured. */
  ownNames(): string[];
  /** Puts all of them into the set, once; those that the user agreed to begin to start. */
  begin(): void;
  parse(text: string): { entries: EntryDraft[]; problems: EntryProblem[] };
  list(): { entries: EntryView[]; problems: EntryProblem[]; file: string };
  add(drafts: readonly EntryDraft[]): Promise<EntryView[]>;
  change(name: string, draft: EntryDraft): Promise<EntryView>;
  confirm(
    name: string,
    hash: string,
    inputs: ReadonlyMap<string, string>,
  ): Promise<{ entry: EntryView; server: ServerSummary }>;
  enable(name: string, enabled: boolean): Promise<EntryView>;
  remove(name: string): Promise<void>;
  order(names: readonly string[]): Promise<string[]>;
  /** Reads what is kept again: somebody deleted some of it. */
  refresh(): Promise<void>;
  close(): void;
}

/** What the entries of a gateway are made of. */
interface EntriesSettings {
  set: ServerSet;
  salt: Buffer;
  /** Without one nothing can be kept. */
  configDir: string | undefined;
  configFile: string | undefined;
  /** What the file says now is agreed to, as if the user had been asked; what it says later is not. */
  trustsFile: boolean;
  environment: NodeJS.ProcessEnv;
  publish(event: GatewayEvent): void;
  onProblem(problem: EntryProblem): void;
}

/** An entry in the set. */
interface Live {
  readonly name: string;
  readonly entry: Entry;
  readonly hash: string;
  readonly confirmed: boolean;
  /** It was agreed to as it was before. */
  readonly changed: boolean;
}

const nothing: Stored = {
  servers: [],
  switchedOff: new Set(),
  order: [],
  given: new Map(),
  confirmed: new Map(),
};

/** Without a config folder there is nothing to change. */
const toNoStore = (): CasementError =>
  new CasementError('config-unwritable', 'This gateway keeps no servers.', {
    hint: 'Give it a folder for them: the option "configDir".',
  });

/** Reads what is configured and keeps the set of servers as it says. */
export const createEntries = async (settings: EntriesSettings): Promise<Entries> => {
  const { set, salt, environment, publish } = settings;
  const store: EntryStore | undefined =
    settings.configDir === undefined ? undefined : createEntryStore(settings.configDir);
  let stored = nothing;
  let storeProblems: EntryProblem[] = [];
  /** What `trustsFile` agreed to, by key; it is not kept. */
  const trusted = new Map<string, string>();
  const live = new Map<string, Live>();
  let begun = false;
  let told = '';

  const file: ConfigFile | undefined =
    settings.configFile === undefined
      ? undefined
      : await openConfigFile(settings.configFile, () => {
          if (begun) follow();
        });

  const listFileEntries = (): Entry[] =>
    (file?.entries() ?? []).map(({ config, inputs }) => {
      const key = ['file', file?.path ?? '', config.name] as const;
      return {
        key,
        config,
        inputs,
        given: stored.given.get(toKeyText(key)) ?? new Map<string, string>(),
        enabled: !stored.switchedOff.has(toKeyText(key)),
      };
    });

  const listAll = (): Entry[] => [...listFileEntries(), ...stored.servers];

  const problems = (): EntryProblem[] => [...(file?.problems() ?? []), ...storeProblems];

  const toHeld = ({ entry, confirmed }: Live): HeldStatus | undefined => {
    if (!entry.enabled) return 'disabled';
    return confirmed && findMissingInputs(entry).length === 0 ? undefined : 'unconfirmed';
  };

  const toLive = (name: string, entry: Entry): Live => {
    const key = toKeyText(entry.key);
    const hash = hashEntry(entry, salt);
    const agreed = [stored.confirmed.get(key), trusted.get(key)].filter((one) => one !== undefined);
    const confirmed = agreed.includes(hash);
    return { name, entry, hash, confirmed, changed: agreed.length > 0 && !confirmed };
  };

  const put = (one: Live): void => {
    const { entry, name } = one;
    const held = toHeld(one);
    set.put({
      config: { ...entry.config, name },
      ownName: entry.config.name,
      source: entry.key[0],
      ...(held === undefined ? { resolve: () => resolveEntry(entry, environment) } : { held }),
    });
  };

  /** Makes the set what is configured now: what is the same goes on, what changed is ended and held back, what is gone goes. */
  const follow = (): void => {
    const entries = listAll();
    const wanted = new Set(entries.map(({ key }) => toKeyText(key)));
    for (const [key, { name }] of live) {
      if (wanted.has(key)) continue;
      live.delete(key);
      void set.remove(name);
    }
    for (const entry of entries) {
      const key = toKeyText(entry.key);
      const before = live.get(key);
      const now = toLive(before?.name ?? set.toFreeName(entry.config.name), entry);
      live.set(key, now);
      const isSame =
        before?.hash === now.hash &&
        toHeld(before) === toHeld(now) &&
        before.entry.config.isNameDerived === entry.config.isNameDerived &&
        before.entry.config.account === entry.config.account;
      if (!isSame) put(now);
    }
    publish({ type: 'entries-changed' });
    tellProblems();
  };

  const tellProblems = (): void => {
    const now = JSON.stringify(problems());
    if (now === told) return;
    told = now;
    problems().forEach(settings.onProblem);
  };

  const update = async (change: (before: Stored) => Stored): Promise<void> => {
    if (store === undefined) throw toNoStore();
    stored = await store.update(change);
    storeProblems = [];
    follow();
  };

  const findLive = (name: string): Live | undefined => [...live.values()].find((one) => one.name === name);

  const find = (name: string): Live => {
    const found = findLive(name);
    if (found !== undefined) return found;
    if (set.get(name) === undefined) {
      throw new CasementError('entry-unknown', 'There is no configured server of that name.');
    }
    throw toReadOnly('It was named on the command line.');
  };

  const findKept = (name: string): Live => {
    const found = find(name);
    if (found.entry.key[0] === 'kept') return found;
    throw toReadOnly('It belongs to a config file.');
  };

  const view = (key: string): EntryView => {
    const one = live.get(key);
    if (one === undefined) throw new CasementError('entry-unknown', 'The entry is gone.');
    return toEntryView(one.entry, one);
  };

  const readStored = async (): Promise<void> => {
    if (store === undefined) return;
    ({ stored, problems: storeProblems } = await store.read());
  };

  await readStored();
  if (settings.trustsFile) {
    for (const entry of listFileEntries()) trusted.set(toKeyText(entry.key), hashEntry(entry, salt));
  }

  return {
    ownNames: () => listAll().map(({ config }) => config.name),
    begin() {
      if (begun) return;
      begun = true;
      follow();
      const ranks = new Map(stored.order.map((key, rank) => [key, rank]));
      const names = [...live].toSorted(
        ([one], [other]) => (ranks.get(one) ?? Infinity) - (ranks.get(other) ?? Infinity) || 0,
      );
      // What the user typed stands first.
      const others = set.all().flatMap(({ name }) => (findLive(name) === undefined ? [name] : []));
      set.order([...others, ...names.map(([, { name }]) => name)]);
    },
    parse(text) {
      const { entries, faults, notes } = parseEntryText(text, process.cwd());
      return {
        entries: entries.map(({ config, inputs }) => toEntryDraft(config, inputs)),
        problems: [...faults, ...notes],
      };
    },
    list: () => ({
      entries: set.all().flatMap(({ name }) => {
        const one = findLive(name);
        return one === undefined ? [] : [toEntryView(one.entry, one)];
      }),
      problems: problems(),
      file: store?.file ?? '',
    }),
    async add(drafts) {
      let added: string[] = [];
      const isTaken = (name: string): boolean => set.toFreeName(name) !== name;
      await update((before) => {
        const { stored: next, keys } = addEntries(before, drafts, isTaken);
        added = keys;
        return next;
      });
      return added.map(view);
    },
    async change(name, draft) {
      const { entry, name: liveName } = findKept(name);
      // Shown under another name because of a clash, it is stored under its own.
      const own = draft.name === liveName ? entry.config.name : draft.name;
      const isTaken = (one: string): boolean => one !== own && set.get(one) !== undefined;
      const names = set.all().map((server) => server.name);
      let key = toKeyText(entry.key);
      await update((before) => {
        const changed = changeEntry(before, toKeyText(entry.key), { ...draft, name: own }, isTaken);
        ({ key } = changed);
        return changed.stored;
      });
      const changed = view(key);
      set.order(names.map((one) => (one === liveName ? changed.name : one)));
      return changed;
    },
    async confirm(name, hash, inputs) {
      const { entry, hash: own } = find(name);
      const key = toKeyText(entry.key);
      if (own !== hash) throw toChanged();
      const given = takeInputs(entry, inputs);
      const agreed = hashEntry({ ...entry, given }, salt);
      await update((before) => {
        const held =
          entry.key[0] === 'kept' ? before.servers.find((one) => toKeyText(one.key) === key) : entry;
        // Another gateway, or an editor, may have changed it since it was shown.
        const isShown =
          held !== undefined &&
          hashEntry({ ...held, given: before.given.get(key) ?? new Map() }, salt) === hash;
        if (!isShown) throw toChanged();
        return confirmEntry(before, key, given, agreed);
      });
      const server = set.get(name);
      if (server === undefined) throw toChanged();
      return { entry: view(key), server: server.summary() };
    },
    async enable(name, enabled) {
      const { entry } = find(name);
      await update((before) => enableEntry(before, entry.key, enabled));
      return view(toKeyText(entry.key));
    },
    async remove(name) {
      const { entry } = findKept(name);
      const server = set.get(name);
      await update((before) => removeEntry(before, toKeyText(entry.key)));
      // Its process is gone when this is answered.
      await server?.close();
      if (server !== undefined && !sharesAccounts(server, set.all())) await server.forgetSignIns();
    },
    async order(names) {
      const keys = names.flatMap((name) => {
        const one = findLive(name);
        return one === undefined ? [] : [toKeyText(one.entry.key)];
      });
      await update((before) => ({ ...before, order: [...new Set(keys)] }));
      set.order(names);
      return set.all().map(({ name }) => name);
    },
    async refresh() {
      await readStored();
      follow();
    },
    close: () => file?.close(),
  };
};

/** Whether another server has the same address, and so the same accounts. */
const sharesAccounts = (server: GatewayServer, all: readonly GatewayServer[]): boolean => {
  const listIds = (one: GatewayServer): string[] => one.summary().signIn?.accounts.map(({ id }) => id) ?? [];
  const ids = new Set(listIds(server));
  return all.some((other) => other !== server && listIds(other).some((id) => ids.has(id)));
};

const toReadOnly = (why: string): CasementError =>
  new CasementError('entry-read-only', `This server cannot be changed here. ${why}`, {
    hint: 'Change it there.',
  });

const toChanged = (): CasementError =>
  new CasementError('entry-changed', 'It is not what was shown: it changed meanwhile. Nothing was started.', {
    hint: 'Look at it again.',
  });

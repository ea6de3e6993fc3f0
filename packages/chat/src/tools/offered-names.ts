/** A tool that wants a name for the model. */
export interface NamedTool {
  /** Who has it; tools of one owner may look alike, tools of two must not. */
  readonly owner: object;
  /** What tells the owner from others of its name: the server's identity, or the app's session. */
  readonly identity: string;
  /** The server's own name; undefined for an app, whose tools have the host's prefix already. */
  readonly server: string | undefined;
  /** The tool's own name, or the one the host gave it. */
  readonly tool: string;
}

// What models take for a name.
const maxName = 64;
const hashLength = 7;

/** A name as the providers of models take it. */
export const toModelName = (text: string): string =>
  text.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, maxName) || 'tool';

/** Folds a name: two names with the same result look alike. */
export const toFold = (name: string): string => name.toLowerCase().replaceAll('-', '_');

/**
 * A name for each tool, all different and the same in whatever order servers come: the tool's own where no other owner
 * has one that looks like it, `server__tool` otherwise. What stands before a double underscore is whose the tool is, so
 * a tool that is called like one of another server is put behind its own server's name.
 */
export const toOfferedNames = (tools: readonly NamedTool[]): readonly string[] => {
  const prefixes = toPrefixes(tools);
  /** The tools that cannot have their own name because somebody else's looks like it. */
  const shared = new Set<NamedTool>();
  for (;;) {
    const wanted = tools.map((named) => toWanted(named, prefixes.get(named.owner), shared.has(named)));
    const names = toDistinct(tools, wanted);
    const before = shared.size;
    for (const spelled of [wanted, names])
      for (const named of findLookAlikes(tools, spelled)) if (named.server !== undefined) shared.add(named);
    // It ends: each round adds a tool, and behind different prefixes no two look alike.
    if (shared.size === before) return names;
  }
};

const toWanted = (named: NamedTool, prefix: string | undefined, isShared: boolean): string => {
  const own = toSpelling(named.tool, named);
  if (prefix === undefined) return own;
  const fold = toFold(own);
  const isForeign = fold.includes('__') && !fold.startsWith(`${toFold(prefix)}__`);
  return isForeign || isShared ? toSpelling(`${prefix}__${named.tool}`, named) : own;
};

/** As models take it; what had to be cut is told apart by a hash. */
const toSpelling = (name: string, named: NamedTool): string =>
  name.length > maxName ? toMarked(toModelName(name), named) : toModelName(name);

const findLookAlikes = (tools: readonly NamedTool[], names: readonly string[]): readonly NamedTool[] => {
  const groups = new Map<string, NamedTool[]>();
  tools.forEach((named, index) => {
    const fold = toFold(names[index] ?? '');
    const group = groups.get(fold);
    if (group) group.push(named);
    else groups.set(fold, [named]);
  });
  return [...groups.values()].flatMap((group) =>
    group.some(({ owner }) => owner !== group[0]?.owner) ? group : [],
  );
};

/** What stands before the tools of each server: without a double underscore, and unlike that of any other. */
const toPrefixes = (tools: readonly NamedTool[]): ReadonlyMap<object, string> => {
  const owners = new Map<object, NamedTool & { readonly server: string }>();
  for (const named of tools) {
    const { owner, server } = named;
    if (server !== undefined) owners.set(owner, { ...named, server });
  }
  const prefixes = new Map([...owners].map(([owner, { server }]) => [owner, toBase(server)]));
  // Twice: a server may be called like what another one gets in the first round.
  for (let round = 0; round < 2; round += 1) {
    const counts = countBy([...prefixes.values()], toFold);
    for (const [owner, { identity }] of owners) {
      const prefix = prefixes.get(owner) ?? '';
      if (counts.get(toFold(prefix)) !== 1) prefixes.set(owner, `${prefix}_${toHash(`${round}${identity}`)}`);
    }
  }
  return prefixes;
};

const toBase = (server: string): string => {
  const base = trim(
    toModelName(server)
      .replace(/[_-]{2,}/g, '_')
      .slice(0, maxName / 2),
  );
  // The host puts `app_…__` before the tools of apps.
  return base === '' ? 'server' : /^app(?:[_-]|$)/i.test(base) ? `server_${base}` : base;
};

/**
 * Makes names different: of tools that share a name, only the tool whose own name it is keeps it; the others get a
 * suffix.
 */
const toDistinct = (tools: readonly NamedTool[], wanted: readonly string[]): readonly string[] => {
  const counts = countBy(wanted, (name) => name);
  const exact = countBy(
    tools.filter(({ tool }, index) => tool === wanted[index]),
    ({ tool }) => tool,
  );
  const marked = tools.map((named, index): string => {
    const name = wanted[index] ?? '';
    const isIts = counts.get(name) === 1 || (named.tool === name && exact.get(name) === 1);
    return isIts ? name : toMarked(name, named);
  });
  // The same tool of the same server twice, or hashes that are alike.
  const taken = new Set<string>();
  return marked.map((stem) => {
    let name = stem;
    for (let count = 2; taken.has(name); count += 1) name = cut(stem, `_${count}`);
    taken.add(name);
    return name;
  });
};

const toMarked = (stem: string, { identity, tool }: NamedTool): string =>
  cut(stem, `_${toHash(`${identity}\n${tool}`)}`);

/** Without an underscore before the ending, which would make a double one. */
const cut = (stem: string, ending: string): string => trim(stem.slice(0, maxName - ending.length)) + ending;

const isJoint = (character: string | undefined): boolean => character === '_' || character === '-';

const trim = (name: string): string => {
  let [start, end] = [0, name.length];
  while (start < end && isJoint(name[start])) start += 1;
  while (end > start && isJoint(name[end - 1])) end -= 1;
  return name.slice(start, end);
};

const countBy = <T>(values: readonly T[], toKey: (value: T) => string): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(toKey(value), (counts.get(toKey(value)) ?? 0) + 1);
  return counts;
};

/** Short, and the same each time; it tells names apart and protects nothing. */
const toHash = (text: string): string => {
  let [one, two] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 2654435761);
    two = Math.imul(two ^ code, 1597334677);
  }
  const mixed = (two >>> 0) * 2 ** 21 + ((one >>> 0) >>> 11);
  return mixed.toString(36).padStart(hashLength, '0').slice(-hashLength);
};

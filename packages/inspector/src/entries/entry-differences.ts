import type { EntryView, ValueView } from '@casement/gateway';

const listValues = (before: readonly ValueView[], after: readonly ValueView[], what: string): string[] => {
  const earlier = new Map(before.map((value) => [value.name, value]));
  const later = new Set(after.map(({ name }) => name));
  return [
    ...after.flatMap(({ name, text, secret }) => {
      const known = earlier.get(name);
      if (!known) return [`the ${what} ${name} is new`];
      return known.text === text && known.secret === secret ? [] : [`the ${what} ${name} is another`];
    }),
    ...before.filter(({ name }) => !later.has(name)).map(({ name }) => `the ${what} ${name} is gone`),
  ];
};

const listArguments = (before: readonly string[], after: readonly string[]): string[] => {
  const length = Math.max(before.length, after.length);
  return Array.from({ length }, (_, index) => index).flatMap((index) => {
    if (before[index] === after[index]) return [];
    const words = index >= before.length ? 'is new' : index >= after.length ? 'is gone' : 'is another';
    return [`argument ${index + 1} ${words}`];
  });
};

const listParts = (before: EntryView, after: EntryView): string[] => {
  if (before.kind === 'stdio' && after.kind === 'stdio')
    return [
      ...(before.command === after.command ? [] : ['the program is another']),
      ...listArguments(before.args, after.args),
      ...(before.cwd === after.cwd ? [] : ['the folder is another']),
      ...listValues(before.env, after.env, 'variable'),
    ];
  if (before.kind === 'http' && after.kind === 'http')
    return [
      ...(before.url === after.url ? [] : ['the address is another']),
      ...(before.transport === after.transport ? [] : ['the transport is another']),
      ...listValues(before.headers, after.headers, 'header'),
    ];
  return [
    after.kind === 'stdio'
      ? 'it was an address and is a command now'
      : 'it was a command and is an address now',
  ];
};

/** What is another in an entry than it was when it was shown; a change of what is not shown is said, too. */
export const toDifferences = (before: EntryView, after: EntryView): readonly string[] => {
  if (before.hash === after.hash) return [];
  const parts = listParts(before, after);
  return parts.length > 0 ? parts : ['a value that is not shown is another'];
};

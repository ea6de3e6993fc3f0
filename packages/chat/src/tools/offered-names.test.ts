import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toFold, toOfferedNames, type NamedTool } from './offered-names.js';

interface Owner {
  readonly name: string | undefined;
  readonly identity: string;
  readonly tools: readonly string[];
}

const toNamed = (owners: readonly Owner[]): readonly NamedTool[] =>
  owners.flatMap((owner) =>
    owner.tools.map((tool) => ({ owner, identity: owner.identity, server: owner.name, tool })),
  );

const name = (...owners: readonly Owner[]): Record<string, string> => {
  const tools = toNamed(owners);
  const names = toOfferedNames(tools);
  return Object.fromEntries(
    tools.map(({ identity, tool }, index) => [`${identity}/${tool}`, names[index] ?? '']),
  );
};

const server = (identity: string, ...tools: string[]): Owner => ({ name: identity, identity, tools });

describe('sec-W2 a tool called like one of another server', () => {
  const bank = server('bank', 'echo', 'pay');

  test.each([
    ['bank__echo', 'evil__bank__echo'],
    ['Bank__echo', 'evil__Bank__echo'],
    ['bank_-echo', 'evil__bank_-echo'],
    ['bank--echo', 'evil__bank--echo'],
    ['bank. echo', 'evil__bank__echo'],
    ['other__echo', 'evil__other__echo'],
    ['app_1234__move', 'evil__app_1234__move'],
    ['__echo', 'evil____echo'],
  ])('%s becomes %s in whatever order they come, and before the other is there', (tool, expected) => {
    const evil = server('evil', tool);
    for (const owners of [[evil, bank], [bank, evil], [evil]])
      expect(name(...owners)[`evil/${tool}`]).toBe(expected);
    expect(name(evil, bank)['bank/echo']).toBe('echo');
  });

  test('cannot have the name that the other gets where both have one of that name', () => {
    const evil = server('evil', 'echo', 'bank__echo');
    for (const owners of [
      [evil, bank],
      [bank, evil],
    ])
      expect(name(...owners)).toMatchObject({
        'bank/echo': 'bank__echo',
        'bank/pay': 'pay',
        'evil/echo': 'evil__echo',
        'evil/bank__echo': 'evil__bank__echo',
      });
  });

  test('or a server called like another gets a prefix of its own', () => {
    for (const twin of ['Bank', 'BANK', 'bank_', '_bank', 'bank.', 'b\u0430nk'.replace('\u0430', 'a')]) {
      const evil = { name: twin, identity: 'id-evil', tools: ['pay', 'echo'] };
      const names = name(evil, bank);
      const [, prefix] = /^(.*?)__pay$/.exec(names['bank/pay'] ?? '') ?? [];
      const [, other] = /^(.*?)__pay$/.exec(names['id-evil/pay'] ?? '') ?? [];
      expect(prefix).toBeTruthy();
      expect(toFold(prefix ?? '')).not.toBe(toFold(other ?? ''));
      expect(name(bank, evil)).toEqual(names);
    }
  });

  test('keeps its own prefix, and app tools keep theirs', () => {
    const app = { name: undefined, identity: 'session-1', tools: ['app_session1__move'] };
    const pretender = { name: 'app_session1', identity: 'id-p', tools: ['move'] };
    expect(name(server('bank', 'bank__echo'), app, pretender, server('x', 'move'))).toEqual({
      'bank/bank__echo': 'bank__echo',
      'session-1/app_session1__move': 'app_session1__move',
      'id-p/move': 'server_app_session1__move',
      'x/move': 'x__move',
    });
  });

  test('that differs only beyond what models take is told apart, the same each time', () => {
    const [one, two] = ['a', 'b'].map((end) => `${'x'.repeat(80)}${end}`);
    const owners = [server('m', one ?? '', two ?? '', 'read.file', 'read_file'), server('n', one ?? '')];
    const names = name(...owners);
    expect(new Set(Object.values(names)).size).toBe(5);
    expect(names['m/read_file']).toBe('read_file');
    expect(name(...owners.toReversed())).toEqual(names);
  });
});

describe('sec-W2 names for any tools of any servers', () => {
  const word = fc.oneof(
    fc.constantFrom(
      'bank',
      'Bank',
      'evil',
      'echo',
      'pay',
      '_',
      '__',
      '-',
      '.',
      'app_',
      'x'.repeat(70),
      '2',
      '',
    ),
    fc.string({ maxLength: 5 }),
  );
  const anyName = fc.array(word, { maxLength: 4 }).map((words) => words.join(''));
  const anyOwners = fc
    .array(fc.record({ name: anyName, tools: fc.uniqueArray(anyName, { maxLength: 6 }) }), { maxLength: 6 })
    .map((owners) => owners.map((owner, index) => ({ ...owner, identity: `id-${index}` })));

  test('are all different, fit for models, the same in any order, and never in a room of another', () => {
    fc.assert(
      fc.property(anyOwners, (owners) => {
        const tools = toNamed(owners);
        const names = toOfferedNames(tools);
        expect(new Set(names).size).toBe(names.length);
        for (const one of names) expect(one).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        expect(name(...owners.toReversed())).toEqual(name(...owners));
        // What stands before the first double underscore belongs to one owner, and no two owners look alike.
        const rooms = new Map<string, object>();
        tools.forEach(({ owner }, index) => {
          const fold = toFold(names[index] ?? '');
          const room = fold.includes('__') ? fold.slice(0, fold.indexOf('__') + 2) : fold;
          expect(rooms.get(room) ?? owner).toBe(owner);
          rooms.set(room, owner);
        });
      }),
      { numRuns: 400 },
    );
  });
});

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dialectAliases } from '../packages/protocol/src/dialects/older-names.js';
import { methodTable } from '../packages/protocol/src/messages/methods.js';
import { expect, test } from 'vitest';
import { verifies } from './verifies.js';

const docs = join(import.meta.dirname, '../docs');
const page = readFileSync(join(docs, 'messages.md'), 'utf8');

interface PageRow {
  readonly method: string;
  readonly direction: string;
  readonly kind: string;
  readonly since: string;
  readonly state: string;
  readonly file: string;
  readonly older: string;
}

const toRow = (line: string): PageRow => {
  const [, method = '', direction = '', kind = '', since = '', state = '', where = '', older = ''] = line
    .split('|')
    .map((cell) => cell.trim());
  return {
    method: method.replaceAll('`', ''),
    direction,
    kind,
    since,
    state,
    file: /\((.*)\)/.exec(where)?.[1] ?? '',
    older,
  };
};
const rows = page
  .split('\n')
  .filter((line) => / → (?:host|app|proxy) \|/.test(line))
  .map(toRow);

const toDirection = ({ from, method }: { from: string; method: string }): string => {
  if (from !== 'host') return `${from} → host`;
  return method.startsWith('ui/notifications/sandbox-') ? 'host → proxy' : 'host → app';
};

verifies(
  'S2-49',
  'the messages page has a row for every message, with direction, kind, since and older names',
  () => {
    const expected = methodTable.map((row) => ({
      method: row.method,
      direction: toDirection(row),
      kind: row.kind,
      since: row.since,
      older: dialectAliases
        .filter(({ method, from }) => method === row.method && from === row.from)
        .map(({ name, dialects }) => `\`${name}\`${dialects.length > 0 ? ` (${dialects.join(', ')})` : ''}`)
        .join(', '),
    }));
    expect(rows.map(({ state: _state, file: _file, ...row }) => row)).toEqual(expected);
  },
);

verifies(
  'S2-49',
  'the state of each message is told, and its method stands in the file named beside it',
  () => {
    const optionsFile = readFileSync(join(docs, '../packages/host/src/core/session-options.ts'), 'utf8');
    const portFile = readFileSync(join(docs, '../packages/protocol/src/ports/server-port.ts'), 'utf8');
    for (const { method, state, file } of rows) {
      expect(state, method).not.toBe('');
      expect(readFileSync(join(docs, file), 'utf8'), `${method} in ${file}`).toContain(`'${method}'`);
      for (const [, name] of state.matchAll(/`(\w+)`/g)) expect(optionsFile + portFile).toContain(`${name}`);
    }
  },
);

test('every file the page links to exists', () => {
  const links = [...page.matchAll(/\]\(([^)#]+)\)/g)].map(([, link]) => link ?? '');
  expect(links.length).toBeGreaterThan(20);
  expect(links.filter((link) => !existsSync(join(docs, link)))).toEqual([]);
});

verifies(
  'S2-08',
  'the steps to add a message, in either direction and on to the server, name what is there',
  () => {
    const steps = page.slice(page.indexOf('## Adding a message'));
    const named: Readonly<Record<string, readonly string[]>> = {
      'packages/protocol/src/messages/methods.ts': [
        "request('app'",
        "notification('app'",
        "notification('host'",
        "request('host'",
      ],
      'packages/host/src/core/handlers/handler-context.ts': [
        'HandlerContext',
        'enforce',
        'notify',
        'request',
      ],
      'packages/protocol/src/wire/peer.ts': ['RequestHandlers'],
      'packages/host/src/core/session-options.ts': ['MountedApp'],
      'packages/protocol/src/ports/server-port.ts': ['ServerPort', 'ServerEvent'],
      'packages/host/src/core/server/server-access.ts': ['serverAccess'],
      'packages/host/src/core/handlers/server-lists.ts': ['resources/list', 'serverAccess'],
    };
    for (const [file, words] of Object.entries(named)) {
      const code = readFileSync(join(docs, '..', file), 'utf8').toLowerCase();
      for (const word of words) {
        expect(steps, word).toContain(word);
        expect(code, `${word} in ${file}`).toContain(word.toLowerCase());
      }
    }
    for (const heading of [
      'A request of the app',
      'A message of the host',
      'Passing a request on to the server',
    ]) {
      expect(steps).toContain(`### ${heading}`);
    }
  },
);

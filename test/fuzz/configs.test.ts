import { expectLinearText, expectLinearValues, orRefusal, textOf, valueOf } from './inputs.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CasementError } from '@casement/protocol/start';
import { parseCommandLine } from '../../packages/casement/src/parse-command-line.js';
import { toServerName } from '../../packages/casement/src/plan-servers.js';
import { readJsonPlaces, toTextPlace } from '../../packages/gateway/src/entries/json-places.js';
import { parseJsonWithComments } from '../../packages/gateway/src/entries/json-with-comments.js';
import { parseEntryText } from '../../packages/gateway/src/entries/parse-entries.js';
import {
  expandVariables,
  isOnlyVariables,
  readVariables,
} from '../../packages/gateway/src/entries/variables.js';
import { checkServerConfigs, parseServerConfigs } from '../../packages/gateway/src/facts/server-config.js';
import { runs } from './runs.js';

const isCasementError = (error: unknown): boolean => error instanceof CasementError;
const isSyntaxError = (error: unknown): boolean => error instanceof SyntaxError;

const jsonPieces = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ',',
  ':',
  '//',
  '/*',
  '*/',
  '/',
  '\\',
  '\\"',
  '\n',
  '\r',
  ' ',
  '1',
  'true',
  '"a"',
  '\uFEFF',
];

test('JSON with comments is JSON once they are gone, and plain JSON is read as it is', () => {
  const comment = fc.constantFrom('', ' ', '// x\n', '/* "{ */', '/* // */', '\n', '//"\r');
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), comment, comment, (value, first, second) => {
      const text = JSON.stringify(value, null, 1);
      expect(parseJsonWithComments(text)).toEqual(JSON.parse(text));
      expect(parseJsonWithComments(`${first}[${text}${second},${first}]${second}`)).toEqual(
        JSON.parse(`[${text}]`),
      );
    }),
    runs(300),
  );
  const read = (text: string): unknown => orRefusal(() => parseJsonWithComments(text), isSyntaxError);
  fc.assert(
    fc.property(textOf(jsonPieces), (text) => void read(text)),
    runs(500),
  );
  expectLinearText(jsonPieces, read);
});

test('a text that is no JSON has a place where it stops being JSON, and one that is has none', () => {
  const isJson = (text: string): boolean => {
    try {
      parseJsonWithComments(text);
      return true;
    } catch {
      return false;
    }
  };
  fc.assert(
    fc.property(textOf(jsonPieces), (text) => {
      const { fault } = readJsonPlaces(text);
      expect([text, fault === undefined]).toEqual([text, isJson(text)]);
      if (fault !== undefined) expect(toTextPlace(text, fault).line).toBeGreaterThan(0);
    }),
    runs(1000),
  );
  expectLinearText(jsonPieces, (text) => void readJsonPlaces(text));
});

test('a pasted text gives entries or problems, never an error of ours', () => {
  const pieces = [
    ...jsonPieces,
    '"mcpServers"',
    '"command"',
    '"url"',
    '"${env:A}"',
    '"https://a"',
    '"inputs"',
  ];
  const read = (text: string): void => {
    const { entries, faults } = parseEntryText(text, '/project');
    checkServerConfigs(entries.map(({ config }) => config));
    for (const { message } of faults) expect(message).not.toMatch(/\p{Cc}/u);
  };
  fc.assert(fc.property(textOf(pieces), read), runs(500));
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => read(JSON.stringify({ mcpServers: { a: value } }))),
    runs(300),
  );
  expectLinearText(pieces, read);
});

test('variables are read in linear time, and what is put in is not looked into again', () => {
  const pieces = ['$', '{', '}', 'env:', 'input:', 'A', ':-', ' ', '\n', 'Bearer '];
  fc.assert(
    fc.property(textOf(pieces), (text) => {
      const names = readVariables(text).map(({ name }) => name);
      const seen: string[] = [];
      expandVariables(text, ({ name }) => {
        seen.push(name);
        return '${env:A}';
      });
      expect(new Set(seen)).toEqual(new Set(names));
    }),
    runs(500),
  );
  expectLinearText(pieces, (text) => void [readVariables(text), isOnlyVariables(text)]);
});

const keys = [
  'mcpServers',
  'servers',
  'mcp',
  'command',
  'args',
  'env',
  'cwd',
  'url',
  'headers',
  'type',
  'disabled',
];
const words = [
  'node',
  'http://',
  'https://a.example',
  'stdio',
  'sse',
  'http',
  'Host',
  'x-a',
  '\r\n',
  '\0',
  'user:pass@',
  '=',
];

test('a configuration is refused by name, or every server in it can be started', () => {
  const entry = fc.record(
    {
      command: fc.oneof(textOf(words, 3), valueOf(keys, words)),
      args: fc.oneof(fc.array(textOf(words, 3), { maxLength: 3 }), valueOf(keys, words)),
      env: fc.dictionary(textOf(words, 2), fc.oneof(textOf(words, 2), fc.integer())),
      url: fc.oneof(textOf(words, 3), fc.constant('https://a.example/mcp')),
      headers: fc.dictionary(textOf(words, 2), textOf(words, 2)),
      type: fc.constantFrom<unknown>('stdio', 'sse', 'http', 1),
    },
    { requiredKeys: [] },
  );
  const file = fc.oneof(
    valueOf(keys, words),
    fc.dictionary(textOf(words, 2), entry, { maxKeys: 3 }).map((mcpServers) => ({ mcpServers })),
  );
  fc.assert(
    fc.property(file, (json) => {
      const configs = orRefusal(() => parseServerConfigs(json, 'the file'), isCasementError);
      if (!configs) return;
      checkServerConfigs(configs);
      for (const config of configs) {
        expect(config.name).not.toMatch(/[\0\r\n]/);
        if (config.kind === 'http') expect(new URL(config.url).protocol).toMatch(/^https?:$/);
        else {
          expect(config.inheritEnv).toBe(false);
          expect([config.command, ...config.args].join('')).not.toMatch(/[\0\r\n]/);
        }
      }
    }),
    runs(500),
  );
  const read = (json: unknown): unknown =>
    orRefusal(() => parseServerConfigs(json, 'the file'), isCasementError);
  expectLinearValues(read);
  expectLinearValues(read, (mcpServers) => ({ mcpServers }));
  for (const key of keys)
    expectLinearValues(
      read,
      (large) => ({ mcpServers: { a: { command: 'x', url: 'http://x', [key]: large } } }),
      300,
    );
  for (const key of ['command', 'url', 'cwd'])
    expectLinearText(words, (text) => read({ mcpServers: { a: { [key]: text }, [text]: { command: 'x' } } }));
});

test('refusals of a configuration print nothing that a terminal obeys', () => {
  fc.assert(
    fc.property(
      textOf(['\x1b[', '2J', '\x9b', '\u202e', '\n', 'x'], 6),
      valueOf(keys, words),
      (name, entry) => {
        try {
          parseServerConfigs({ mcpServers: { [name]: entry } }, 'the file');
        } catch (error) {
          expect(error).toBeInstanceOf(CasementError);
          expect((error as CasementError).message).not.toMatch(/(?!\t)[\p{Cc}\u202e]/u);
        }
      },
    ),
    runs(300),
  );
});

const flags = [
  '--config',
  '--port',
  '--run',
  '--args',
  '--model-url',
  '--model',
  '--no-open',
  '--json',
  '--help',
  '-v',
  '--',
  '--port=',
  '=',
  '{}',
  '8080',
  'https://a.example',
  'node',
  '-x',
];

test('a command line is understood, or refused by name', () => {
  const argv = fc.array(fc.oneof(fc.constantFrom(...flags), textOf(flags, 3)), { maxLength: 8 });
  const read = (words: readonly string[]): unknown =>
    orRefusal(() => parseCommandLine(words), isCasementError);
  fc.assert(
    fc.property(argv, (words) => {
      const before = [...words];
      const asked = orRefusal(() => parseCommandLine(words), isCasementError);
      expect(words).toEqual(before);
      if (asked?.kind !== 'serve') return;
      if (asked.port !== undefined) expect(asked.port >= 0 && asked.port <= 65_534).toBe(true);
      if (asked.server) expect(toServerName(asked.server)).toMatch(/^[\w.-]+$/);
    }),
    runs(500),
  );
  expectLinearText(flags, (text) => read(text.split('-').map((word) => `-${word}`)));
  expectLinearText(flags, (text) => read(['--port', text]));
  expectLinearText(['--json ', '-x ', '--model=x '], (text) => read(text.split(' ').filter(Boolean)));
});

test('a server is named in letters that need no quoting', () => {
  const parts = ['npx', '@scope/', 'pkg', '@', '1.0', '/', '\\', '.', '-', '-y', ' ', '.js', '.exe'];
  const toName = (command: string, args: string[]): string =>
    toServerName({ kind: 'command', command, args });
  fc.assert(
    fc.property(
      fc.oneof(fc.constant('npx'), textOf(parts)),
      fc.array(textOf(parts), { maxLength: 3 }),
      (command, args) => {
        expect(toName(command, args)).toMatch(/^\w(?:[\w.-]*\w)?$/);
      },
    ),
    runs(500),
  );
  expectLinearText(parts, (text) => toName('npx', [text]));
  expectLinearText(parts, (text) => toName(text, []));
});

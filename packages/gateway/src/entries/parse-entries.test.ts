import { homedir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { parseEntryText } from './parse-entries.js';
import { readJsonPlaces, toTextPlace } from './json-places.js';
import { expandVariables, isOnlyVariables, readVariables } from './variables.js';

const read = (json: unknown) =>
  parseEntryText(typeof json === 'string' ? json : JSON.stringify(json), '/project');

describe('a text with servers', () => {
  test('is read in the forms of Claude, Cursor and VS Code, and as people copy a part of one', () => {
    const entry = { command: 'node', args: ['a.js'] };
    for (const json of [
      { mcpServers: { a: entry } },
      { servers: { a: { type: 'stdio', ...entry } } },
      { mcp: { servers: { a: entry } } },
      { a: entry },
      { name: 'a', ...entry },
    ]) {
      const { entries, faults } = read(json);
      expect(faults).toEqual([]);
      expect(entries).toMatchObject([
        { config: { name: 'a', kind: 'stdio', command: 'node', args: ['a.js'] } },
      ]);
    }
    expect(read({ command: 'node' }).entries).toMatchObject([{ config: { name: 'server' } }]);
  });

  test('has the inputs of VS Code for the servers that refer to them', () => {
    const { entries } = read(`{
      // as VS Code writes it
      "inputs": [
        { "type": "promptString", "id": "key", "description": "The key", "password": true },
        { "type": "pickString", "id": "where", "options": ["eu", { "label": "US", "value": "us" }], "default": "eu" },
        { "type": "command", "id": "never", "command": "x" },
        { "id": 7 },
      ],
      "servers": {
        "web": { "type": "http", "url": "https://a.example/\${input:where}", "headers": { "Authorization": "Bearer \${input:key}" } },
        "run": { "command": "x", "args": ["\${input:unknown}"] },
        "none": { "command": "x" },
      },
    }`);
    expect(entries.map(({ inputs }) => inputs)).toEqual([
      [
        { id: 'where', password: false, options: ['eu', 'us'], default: 'eu' },
        { id: 'key', description: 'The key', password: true },
      ],
      [{ id: 'unknown', password: true }],
      [],
    ]);
  });

  test('leaves variables as they are, and fills in what says where the file lies', () => {
    const { entries } = read({
      mcpServers: {
        a: {
          command: '${userHome}/bin/x',
          args: [
            '${workspaceFolder}/a',
            '${env:A}',
            '${B}',
            '${C:-d}',
            '${workspaceFolderBasename}',
            '${#x}',
          ],
          env: { P: '${workspaceFolder}${/}p' },
        },
      },
    });
    expect(entries[0]?.config).toMatchObject({
      command: `${homedir()}/bin/x`,
      args: ['/project/a', '${env:A}', '${B}', '${C:-d}', 'project', '${#x}'],
      env: { P: '/project/p' },
    });
  });

  test('has each fault with line and column, and the good entries all the same', () => {
    const text =
      '{\n  "mcpServers": {\n    "good": { "command": "x" },\n    "bad": { "command": "" },\n\t"web": { "url": "ftp://a" },\n    "ed": { "command": "${command:pick}" }\n  }\n}';
    const { entries, faults } = read(text);
    expect(entries).toHaveLength(1);
    expect(faults).toMatchObject([
      { message: expect.stringContaining('"bad" has an empty command') as string, line: 4, column: 5 },
      { message: expect.stringContaining('"web" has an address') as string, line: 5, column: 2 },
      { message: expect.stringContaining('${command:pick}') as string, line: 6, column: 5 },
    ]);
  });

  test.each([
    ['{\n "a": 1,\n "b" 2 }', 3, 6],
    ['{"a": [1, 2', 1, 12],
    ['', 1, 1],
    ['{"a": \u202e1}', 1, 7],
    ['{"a": tru}', 1, 7],
    ['{"a": 1}\n}', 2, 1],
    ['{"a": "x\n"}', 1, 7],
    ['[1 2]', 1, 4],
    ['{"a": 1 /* never', 1, 9],
    ['\uFEFF{ 7: 1 }', 1, 4],
  ])('%j is no JSON at line %i, column %i', (text, line, column) => {
    expect(read(text)).toMatchObject({
      entries: [],
      faults: [{ message: expect.stringContaining('not JSON') as string, line, column }],
    });
  });

  test('says that "envFile" is not read', () => {
    const { entries, notes } = read({ servers: { a: { command: 'x', envFile: '.env' } } });
    expect(entries).toHaveLength(1);
    expect(notes).toMatchObject([{ message: expect.stringContaining('"envFile"') as string, line: 1 }]);
  });

  test('needs no stack for deep nesting, and no time for a long text', () => {
    const deep = `${'['.repeat(200_000)}1`;
    expect(read(deep).faults[0]).toMatchObject({ line: 1, column: 200_002 });
    expect(readJsonPlaces(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`).fault).toBeUndefined();
    expect(read('x'.repeat(5 * 1024 * 1024)).faults[0]?.message).toContain('4 MB');
  });
});

test('a place is counted as people do', () => {
  expect(toTextPlace('a\r\nb\n\nc', 0)).toEqual({ line: 1, column: 1 });
  expect(toTextPlace('a\r\nb\n\nc', 3)).toEqual({ line: 2, column: 1 });
  expect(toTextPlace('a\r\nb\n\nc', 6)).toEqual({ line: 4, column: 1 });
});

test('variables are found and put in once', () => {
  const text = '${env:A}-${A}-${input:b c}-${D:-e}-${env:}-${ x}-$F';
  expect(readVariables(text)).toEqual([
    { from: 'env', name: 'A' },
    { from: 'input', name: 'b c' },
    { from: 'env', name: 'D' },
  ]);
  expect(expandVariables(text, ({ name, otherwise }) => otherwise ?? `\${${name}}`)).toBe(
    '${A}-${A}-${b c}-e-${env:}-${ x}-$F',
  );
  expect(['${A}', 'Bearer ${env:A}', '${A}${B}'].every(isOnlyVariables)).toBe(true);
  expect(['', 'x', 'Bearer x', 'x${A}', '${A:-secret}', 'Bearer'].some(isOnlyVariables)).toBe(false);
});

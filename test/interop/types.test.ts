import { join } from 'node:path';
import { methodTable } from '../../packages/protocol/src/messages/methods.js';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

/*
 * Our types and those of the official package are assignable to each other, in both versions that apps in the field
 * use. The compiler judges a file that exists only here: the official packages are not installed when the types of
 * this repository are checked.
 */

const servers = join(import.meta.dirname, '../../e2e/servers/node_modules');
const versions = {
  '2.0.4': join(servers, '@modelcontextprotocol/ext-apps/dist/src/types.js'),
  '1.7.5': join(servers, 'basic-react-1/node_modules/@modelcontextprotocol/ext-apps/dist/src/types.js'),
};

/** Ours and the official type that means the same; requests and notifications are found by their method instead. */
const named: Readonly<Record<string, string>> = {
  "ResultOf<'ui/initialize'>": 'Official.McpUiInitializeResult',
  "Omit<ResultOf<'ui/initialize'>, 'hostContext'>":
    "Pick<Official.McpUiInitializeResult, 'protocolVersion' | 'hostInfo' | 'hostCapabilities'>",
  "ResultOf<'ui/resource-teardown'>": 'Official.McpUiResourceTeardownResult',
  "ResultOf<'ui/open-link'>": 'Official.McpUiOpenLinkResult',
  "ResultOf<'ui/message'>": 'Official.McpUiMessageResult',
  "ResultOf<'ui/request-display-mode'>": 'Official.McpUiRequestDisplayModeResult',
  "ResultOf<'ui/download-file'>": 'Official.McpUiDownloadFileResult',
  "ResultOf<'tools/call'>": "Result<'content'>",
  "ResultOf<'tools/list'>": "Result<'tools'>",
  "ResultOf<'resources/read'>": "Result<'contents'>",
  "ResultOf<'resources/list'>": "Result<'resources'>",
  "ResultOf<'resources/templates/list'>": "Result<'resourceTemplates'>",
  "ResultOf<'prompts/list'>": "Result<'prompts'>",
  "ResultOf<'sampling/createMessage'>": 'Extract<Official.AppResult, { model: string }>',
  HostContext: 'Official.McpUiHostContext',
  "Omit<HostContext, 'toolInfo' | 'styles'>": 'Plain<Official.McpUiHostContext>',
  HostCapabilities: 'Official.McpUiHostCapabilities',
  AppCapabilities: 'Official.McpUiAppCapabilities',
  DisplayMode: 'Official.McpUiDisplayMode',
  Theme: 'Official.McpUiTheme',
  StyleVariableName: 'Official.McpUiStyleVariableKey',
};

const methods = [...new Set(methodTable.map(({ method }) => method))];

/** Every comparison: its name, our type, the official one. */
const rows = [
  ...Object.entries(named).map(([ours, official]) => ({ name: ours, ours, official })),
  ...methods.map((method) => ({
    name: method,
    ours: `Ours<'${method}'>`,
    official: `Carried<'${method}'>`,
  })),
];

const toSource = (official: string): string =>
  [
    `import type * as Official from '${official}';`,
    "import type { AppCapabilities, DisplayMode, HostCapabilities, HostContext, NotificationMethod, ParamsOf, RequestMethod, ResultOf, StyleVariableName, Theme } from '@casement/protocol';",
    'type Message = Official.AppRequest | Official.AppNotification;',
    // A message the official package does not type stands for nothing on both sides.
    "type Carried<M> = M extends Message['method'] ? NonNullable<Extract<Message, { method: M }>['params']> : null;",
    'type Method = RequestMethod | NotificationMethod;',
    "type Ours<M extends Method> = M extends Message['method'] ? ParamsOf<M> : null;",
    'type Result<K extends string> = Extract<Official.AppResult, { [key in K]: unknown[] }>;',
    // Known keys only: the official context lets others pass.
    'type Plain<T> = { [K in keyof T as string extends K ? never : K extends "toolInfo" | "styles" ? never : K]: T[K] };',
    "declare const unknownMethod: Exclude<Message['method'], Method>;",
    'export const everyOfficialMethodIsInOurTable: never = unknownMethod;',
    ...rows.flatMap(({ ours, official: theirs }, index) => [
      `declare const own${index}: ${ours}; declare const official${index}: ${theirs};`,
      `export const toOwn${index}: ${ours} = official${index};`,
      `export const toOfficial${index}: ${theirs} = own${index};`,
    ]),
  ].join('\n');

const file = join(import.meta.dirname, 'only-in-memory.ts');

/** The comparisons that do not compile, as `from official: …` or `to official: …`, each with the compiler's words. */
const compare = (official: string): Map<string, string> => {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    types: [],
  };
  const source = toSource(official);
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (name, ...rest) =>
    name === file
      ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2022)
      : getSourceFile.call(host, name, ...rest);
  host.fileExists = (name) => name === file || fileExists.call(host, name);
  host.readFile = (name) => (name === file ? source : readFile.call(host, name));
  const lines = source.split('\n');
  const program = ts.createProgram([file], options, host);
  return new Map(
    ts.getPreEmitDiagnostics(program).map(({ file: place, start = 0, messageText }) => {
      const line = place ? (lines[place.getLineAndCharacterOfPosition(start).line] ?? '') : '';
      const [, direction, index] = /const to(Own|Official)(\d+)/.exec(line) ?? [];
      const name = rows[Number(index)]?.name;
      return [
        name ? `${direction === 'Own' ? 'from official' : 'to official'}: ${name}` : line,
        ts.flattenDiagnosticMessageText(messageText, '\n'),
      ] as const;
    }),
  );
};

/** Where we differ, and why; whatever else differs, and whatever no longer does, fails the test. */
const toolSchemas =
  'A tool carries JSON schemas: ours are unknown, 2.0.4 says any JSON, 1.7.5 any object; no type fits all three.';
const styles =
  'The official type wants all 76 variables named, if only as undefined; a host names those it has.';
const deviations: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  both: {
    "to official: ResultOf<'ui/initialize'>": `${toolSchemas} ${styles}`,
    'to official: HostContext': `${toolSchemas} ${styles}`,
    'to official: ui/notifications/host-context-changed': `${toolSchemas} ${styles}`,
    "to official: ResultOf<'tools/list'>": toolSchemas,
    "to official: ResultOf<'sampling/createMessage'>": 'As in its request.',
    'to official: sampling/createMessage':
      'Only the outline is checked here; the rest is for the model behind it.',
  },
  '2.0.4': {},
  '1.7.5': {
    "to official: ResultOf<'tools/call'>":
      'structuredContent was an object then; core MCP says any value today.',
    'to official: ui/notifications/tool-result': 'As in the result of tools/call.',
  },
};

describe('our types and those of ext-apps', () => {
  test.each(Object.entries(versions))(
    '%s are assignable to each other but for the listed deviations',
    (version, official) => {
      const problems = compare(official);
      const listed = { ...deviations['both'], ...deviations[version] };
      const unlisted = [...problems].filter(([name]) => !Object.hasOwn(listed, name));
      expect(unlisted).toEqual([]);
      expect(Object.keys(listed).filter((name) => !problems.has(name))).toEqual([]);
    },
    120_000,
  );
});

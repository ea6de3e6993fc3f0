import { toPrintable } from '@casement/protocol/basics';
import { CasementError, isRecord } from '@casement/protocol/start';
import {
  checkServerConfig,
  findServerRecord,
  parseServerEntry,
  type ServerConfig,
} from '../facts/server-config.js';
import type { EntryInput, EntryProblem } from '../facts/server-entry.js';
import { parseJsonWithComments } from './json-with-comments.js';
import { readJsonPlaces, toTextPlace, type JsonPlaces } from './json-places.js';
import { fillPlaces, findForeignVariable, readVariables } from './variables.js';

/** Nobody configures more; a file of ten thousand entries is refused by name. */
export const MAX_ENTRIES = 1000;
export const MAX_TEXT_CHARS = 4 * 1024 * 1024;
const MAX_PROBLEMS = 50;
const MAX_INPUTS = 200;

/** One server of a text: its configuration, variables unexpanded, and the inputs it refers to. */
export interface ParsedEntry {
  config: ServerConfig;
  inputs: EntryInput[];
}

/** What a text says. Entries with a fault are left out; a note says what of an entry has no effect. */
interface ParsedEntries {
  entries: ParsedEntry[];
  faults: EntryProblem[];
  notes: EntryProblem[];
}

/** The texts of a configuration in which variables are read. */
const listTexts = (config: ServerConfig): string[] =>
  config.kind === 'stdio'
    ? [config.command, ...config.args, config.cwd ?? '', ...Object.values(config.env ?? {})]
    : [config.url, ...Object.values(config.headers ?? {})];

const mapValues = (
  record: Record<string, string>,
  change: (text: string) => string,
): Record<string, string> =>
  Object.fromEntries(Object.entries(record).map(([name, text]) => [name, change(text)]));

/** The same configuration with each of its texts changed. */
export const mapTexts = <C extends ServerConfig>(config: C, change: (text: string) => string): C =>
  config.kind === 'stdio'
    ? {
        ...config,
        command: change(config.command),
        args: config.args.map(change),
        ...(config.cwd !== undefined && { cwd: change(config.cwd) }),
        ...(config.env !== undefined && { env: mapValues(config.env, change) }),
      }
    : {
        ...config,
        url: change(config.url),
        ...(config.headers !== undefined && { headers: mapValues(config.headers, change) }),
      };

const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.length <= max;

const parseInput = (value: unknown): EntryInput[] => {
  if (!isRecord(value) || !isText(value.id, 200) || value.type === 'command') return [];
  const { id, description, password, options } = value;
  const texts = Array.isArray(options)
    ? options.slice(0, MAX_INPUTS).flatMap((option: unknown) => {
        const text: unknown = isRecord(option) ? option.value : option;
        return isText(text, 2000) ? [text] : [];
      })
    : [];
  return [
    {
      id,
      ...(isText(description, 1000) && { description }),
      password: password === true,
      ...(texts.length > 0 && { options: texts }),
      ...(isText(value.default, 2000) && { default: value.default }),
    },
  ];
};

/** The inputs that a configuration refers to; one that nobody described is asked for like a password. */
export const pickInputs = (config: ServerConfig, described: readonly EntryInput[]): EntryInput[] => {
  const ids = new Set(
    listTexts(config).flatMap((text) =>
      readVariables(text).flatMap(({ from, name }) => (from === 'input' ? [name] : [])),
    ),
  );
  return [...ids].map((id) => described.find((input) => input.id === id) ?? { id, password: true });
};

/** The servers of a text, and the path of names to them: of a whole file, or of what people copy out of one. */
const findServers = (json: unknown): ReturnType<typeof findServerRecord> => {
  const found = findServerRecord(json);
  if (found !== undefined || !isRecord(json)) return found;
  const isEntry = (value: unknown): boolean => isRecord(value) && ('command' in value || 'url' in value);
  if (isEntry(json)) {
    const { name, ...entry } = json;
    return { path: [], servers: { [typeof name === 'string' ? name : 'server']: entry } };
  }
  const entries = Object.values(json);
  return entries.length > 0 && entries.every(isEntry) ? { path: [], servers: json } : undefined;
};

const checkVariables = (config: ServerConfig): void => {
  const wrong = listTexts(config).map(findForeignVariable).find(Boolean);
  if (wrong === undefined) return;
  throw new CasementError(
    'config-invalid',
    `The server "${toPrintable(config.name, 100)}" uses ${toPrintable(wrong, 100)}, which only an editor can fill in.`,
  );
};

const toFault = (error: unknown): EntryProblem => {
  if (!(error instanceof CasementError)) throw error;
  return { message: error.message, ...(error.hint !== undefined && { hint: error.hint }) };
};

const parseJson = (text: string): { json?: unknown; fault?: EntryProblem } => {
  if (text.length > MAX_TEXT_CHARS) return { fault: { message: 'It is over the limit of 4 MB.' } };
  try {
    return { json: parseJsonWithComments(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { fault } = readJsonPlaces(text);
    const place = fault === undefined ? {} : toTextPlace(text, fault);
    const found = text.slice(fault ?? 0).trimStart();
    const what =
      fault !== undefined && found !== ''
        ? `at ${toPrintable(found.slice(0, 20), 60)}`
        : 'as it ends too early';
    return { fault: { message: `It is not JSON: it cannot be read ${what}.`, ...place } };
  }
};

/** Reads the servers of a text in the forms of Claude, Cursor and VS Code; `folder` is the one of the project. */
export const parseEntryText = (text: string, folder: string): ParsedEntries => {
  const { json, fault } = parseJson(text);
  if (fault !== undefined) return { entries: [], faults: [fault], notes: [] };
  const found = findServers(json);
  if (found === undefined) {
    const message =
      'It has no "mcpServers" or "servers" object: use the form of Claude or Cursor, { "mcpServers": { … } }, or of VS Code, { "servers": { … } }.';
    return { entries: [], faults: [{ message, line: 1, column: 1 }], notes: [] };
  }
  const names = Object.keys(found.servers);
  if (names.length > MAX_ENTRIES) {
    const message = `It has ${names.length} servers; at most ${MAX_ENTRIES} are read.`;
    return { entries: [], faults: [{ message }], notes: [] };
  }
  let places: JsonPlaces | undefined;
  const place = (name: string) => {
    const offset = (places ??= readJsonPlaces(text)).find(...found.path, name);
    return offset === undefined ? {} : toTextPlace(text, offset);
  };
  // `inputs` stands beside the servers, also where both are under `mcp`.
  const root = found.path[0] === 'mcp' && isRecord(json) ? json.mcp : json;
  const inputs =
    isRecord(root) && Array.isArray(root.inputs) ? root.inputs.slice(0, MAX_INPUTS).flatMap(parseInput) : [];
  const result: ParsedEntries = { entries: [], faults: [], notes: [] };
  for (const [name, entry] of Object.entries(found.servers)) {
    try {
      for (const parsed of parseServerEntry(name, entry)) {
        const config = mapTexts(parsed, (value) => fillPlaces(value, folder));
        checkServerConfig(config);
        checkVariables(config);
        result.entries.push({ config, inputs: pickInputs(config, inputs) });
      }
    } catch (error) {
      if (result.faults.length < MAX_PROBLEMS) result.faults.push({ ...toFault(error), ...place(name) });
    }
    if (isRecord(entry) && entry.envFile != null && result.notes.length < MAX_PROBLEMS) {
      const message = `The server "${toPrintable(name, 100)}" has "envFile", which is not read: write its variables into "env".`;
      result.notes.push({ message, ...place(name) });
    }
  }
  return result;
};

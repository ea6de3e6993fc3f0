import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { redact } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import { CasementError } from '@casement/protocol/start';
import { checkServerConfig, type ServerConfig } from '../facts/server-config.js';
import type { DraftValue, EntryDraft, EntryInput, EntryView, ValueView } from '../facts/server-entry.js';
import { findMark } from './marked-names.js';
import { mapTexts, pickInputs } from './parse-entries.js';
import { expandVariables, isOnlyVariables, readVariables } from './variables.js';

/** Which entry: one that Casement keeps, by its name, or one of a config file, by that file and its name there. */
export type EntryKey = readonly ['kept', string] | readonly ['file', string, string];

/** The key as a text, to find things by. */
export const toKeyText = (key: EntryKey): string => JSON.stringify(key);

/** An entry with all its texts, secrets included. It never leaves the gateway: the page gets a view of it. */
export interface Entry {
  readonly key: EntryKey;
  /** As it is configured, under its own name; variables are unexpanded. */
  readonly config: ServerConfig;
  /** The inputs it refers to. */
  readonly inputs: readonly EntryInput[];
  /** What the user gave for them. */
  readonly given: ReadonlyMap<string, string>;
  readonly enabled: boolean;
}

const sortPairs = (pairs: Iterable<readonly [string, string]>): (readonly [string, string])[] =>
  [...pairs].sort(([one], [other]) => (one < other ? -1 : Number(one > other)));

/**
 * What a yes is bound to: all that runs or is sent, secrets and given inputs included, variables unexpanded. The salt of this
 * installation keeps short secrets from being guessed by the hash, which the page is told.
 */
export const hashEntry = ({ config, given }: Entry, salt: Buffer): string => {
  const what =
    config.kind === 'stdio'
      ? [
          'stdio',
          config.command,
          config.args,
          resolve(config.cwd ?? '.'),
          sortPairs(Object.entries(config.env ?? {})),
        ]
      : [
          'http',
          config.url,
          config.transport ?? null,
          sortPairs(
            Object.entries(config.headers ?? {}).map(([name, text]) => [name.toLowerCase(), text] as const),
          ),
        ];
  const text = JSON.stringify(['casement entry 1', ...what, sortPairs(given)]);
  return createHash('sha256').update(salt).update(text).digest('base64url');
};

/** Names of variables and headers for secrets, beyond those that are secret wherever they stand. */
const secretName = /key$|(?:^|[_-])(?:pass|pat|pwd|auth|dsn)$/i;

/**
 * By the rule of the recording: what it would not keep by its name is not shown either. Headers are judged as variables are:
 * the recording keeps only those it knows, but the question has to show each that is sent.
 */
const hasSecretName = (name: string): boolean =>
  !JSON.stringify(redact({ [name]: '.' })).includes(':"."') || secretName.test(name.slice(-64));

/**
 * Whether a value is kept apart and never shown, by its name or its form. A text that only names where a secret is read is none;
 * and what decides which code runs is shown whatever it looks like, or a file could hide it behind something like a key.
 */
export const isSecretValue = (name: string, text: string): boolean => {
  if (text === '' || isOnlyVariables(text)) return false;
  return hasSecretName(name) || (findMark(name) === undefined && redact(text) !== text);
};

const toValueView = (kind: ServerConfig['kind'], name: string, text: string): ValueView => {
  const mark = kind === 'stdio' ? findMark(name) : undefined;
  return {
    name,
    ...(isSecretValue(name, text) ? { secret: true } : { text }),
    reads: readVariables(text),
    ...(mark !== undefined && { marked: mark }),
  };
};

const toValueViews = (kind: ServerConfig['kind'], values: Record<string, string> = {}): ValueView[] =>
  Object.entries(values).map(([name, text]) => toValueView(kind, name, text));

/** The inputs that still have no value. */
export const findMissingInputs = ({ inputs, given }: Entry): EntryInput[] =>
  inputs.filter(({ id }) => !given.has(id));

/** What the page may know of an entry, under the name that the API calls it by. */
export const toEntryView = (
  entry: Entry,
  { name, hash, confirmed, changed }: { name: string; hash: string; confirmed: boolean; changed: boolean },
): EntryView => {
  const { config, key, enabled } = entry;
  const common = {
    name,
    source: key[0],
    ...(key[0] === 'file' && { file: key[1] }),
    ...(config.isNameDerived === true && { isNameDerived: true }),
    ...(config.account !== undefined && { account: config.account }),
    enabled,
    confirmed,
    ...(changed && { changed: true as const }),
    hash,
    reads: readVariables(
      (config.kind === 'http' ? [config.url] : [config.command, ...config.args, config.cwd ?? '']).join('\n'),
    ),
    inputs: findMissingInputs(entry),
  };
  if (config.kind === 'http') {
    const { kind, url, transport, headers } = config;
    return {
      ...common,
      kind,
      url,
      ...(transport !== undefined && { transport }),
      headers: toValueViews(kind, headers),
    };
  }
  const { kind, command, args, cwd, env } = config;
  // The folder is part of what is run, so it is shown where the file leaves it to the place casement was started in.
  return { ...common, kind, command, args, cwd: resolve(cwd ?? '.'), env: toValueViews(kind, env) };
};

const toValues = (
  name: string,
  values: readonly DraftValue[],
  stored: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(
    values.map((value) => {
      const text =
        value.text ?? (value.secret && Object.hasOwn(stored, value.name) ? stored[value.name] : undefined);
      if (text !== undefined) return [value.name, text];
      throw new CasementError(
        'entry-invalid',
        `The server "${toPrintable(name, 100)}" has no text for ${toPrintable(value.name, 60)}.`,
        { hint: 'Give its value.' },
      );
    }),
  );

/** Makes a configuration of what the page handed in; a secret without a text stays what it was in `before`. */
export const toEntryConfig = (draft: EntryDraft, before?: ServerConfig): ServerConfig => {
  const { name, isNameDerived, account } = draft;
  const common = {
    name,
    ...(isNameDerived === true && { isNameDerived }),
    ...(account !== undefined && { account }),
  };
  const stored = (before?.kind === 'stdio' ? before.env : before?.headers) ?? {};
  const config: ServerConfig =
    draft.kind === 'stdio'
      ? {
          ...common,
          kind: 'stdio',
          command: draft.command,
          args: draft.args,
          cwd: resolve(draft.cwd ?? '.'),
          ...(draft.env !== undefined && { env: toValues(name, draft.env, stored) }),
          inheritEnv: false,
        }
      : {
          ...common,
          kind: 'http',
          url: draft.url,
          ...(draft.transport !== undefined && { transport: draft.transport }),
          ...(draft.headers !== undefined && { headers: toValues(name, draft.headers, stored) }),
        };
  try {
    checkServerConfig(config);
  } catch (error) {
    if (!(error instanceof CasementError)) throw error;
    throw new CasementError('entry-invalid', error.message, { hint: error.hint });
  }
  return config;
};

const toDraftValues = (values: Record<string, string>): DraftValue[] =>
  Object.entries(values).map(([name, text]) => ({ name, text }));

/** What was read from a text, in the form in which the page hands it in. */
export const toEntryDraft = (config: ServerConfig, inputs: readonly EntryInput[]): EntryDraft => {
  const { name, account } = config;
  const common = {
    name,
    ...(account !== undefined && { account }),
    ...(inputs.length > 0 && { inputs: [...inputs] }),
  };
  if (config.kind === 'http') {
    const { kind, url, transport, headers } = config;
    return {
      ...common,
      kind,
      url,
      ...(transport !== undefined && { transport }),
      ...(headers !== undefined && { headers: toDraftValues(headers) }),
    };
  }
  const { kind, command, args, cwd, env } = config;
  return {
    ...common,
    kind,
    command,
    args,
    ...(cwd !== undefined && { cwd }),
    ...(env !== undefined && { env: toDraftValues(env) }),
  };
};

/** Reads the variables of an entry that was agreed to and puts them in; throws for one that has no value. */
export const resolveEntry = ({ config, given }: Entry, environment: NodeJS.ProcessEnv): ServerConfig => {
  const lookUp = ({
    from,
    name,
    otherwise,
  }: Parameters<Parameters<typeof expandVariables>[1]>[0]): string => {
    const value = from === 'input' ? given.get(name) : environment[name];
    if (value !== undefined) return value;
    if (otherwise !== undefined) return otherwise;
    const what =
      from === 'input'
        ? `the input "${toPrintable(name, 100)}", which has no value`
        : `the variable ${toPrintable(name, 100)}, which is not set`;
    throw new CasementError('entry-invalid', `The server "${toPrintable(config.name, 100)}" reads ${what}.`, {
      hint:
        from === 'input'
          ? 'Give the value and say yes again.'
          : 'Set it in the terminal and start casement anew.',
    });
  };
  const resolved = mapTexts(config, (text) => expandVariables(text, lookUp));
  // What came in by a variable may be nothing that may be run or sent; and it must not lead elsewhere than what was agreed to.
  checkServerConfig(resolved);
  if (
    resolved.kind === 'http' &&
    config.kind === 'http' &&
    new URL(resolved.url).origin !== new URL(config.url).origin
  ) {
    throw new CasementError(
      'entry-invalid',
      `The server "${toPrintable(config.name, 100)}" has an address that its variables change.`,
      {
        hint: 'Write the host out.',
      },
    );
  }
  return resolved;
};

/** The inputs that a configuration refers to, as they were described. */
export const toEntryInputs = (config: ServerConfig, described: readonly EntryInput[] = []): EntryInput[] =>
  pickInputs(config, described);

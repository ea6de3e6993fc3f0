import * as v from 'valibot';
import type { EntryInput } from '../facts/server-entry.js';
import {
  isSecretValue,
  toEntryConfig,
  toEntryInputs,
  toKeyText,
  type Entry,
  type EntryKey,
} from './entry.js';

/** The form of the files; a file with a greater number is of a newer Casement. */
export const VERSION = 1;

/** All that is kept, secrets in their places. A change makes another one. */
export interface Stored {
  readonly servers: readonly Entry[];
  /** The entries of config files that the user switched off, by key. */
  readonly switchedOff: ReadonlySet<string>;
  /** The order to show entries in, by key. */
  readonly order: readonly string[];
  /** What the user gave for inputs, by key and id. */
  readonly given: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** What the user said yes to, by key: the hash of the entry as it was then. */
  readonly confirmed: ReadonlyMap<string, string>;
}

const text = v.string();
const key = v.union([v.tuple([v.literal('kept'), text]), v.tuple([v.literal('file'), text, text])]);
const value = v.object({ name: text, text: v.optional(text), secret: v.optional(v.literal(true)) });
const input = v.object({
  id: text,
  description: v.optional(text),
  password: v.boolean(),
  options: v.optional(v.array(text)),
  default: v.optional(text),
});
const common = {
  name: text,
  isNameDerived: v.optional(v.boolean()),
  account: v.optional(text),
  inputs: v.optional(v.array(input)),
  enabled: v.optional(v.boolean(), true),
};
const server = v.variant('kind', [
  v.object({
    ...common,
    kind: v.literal('stdio'),
    command: text,
    args: v.array(text),
    cwd: v.optional(text),
    env: v.optional(v.array(value)),
  }),
  v.object({
    ...common,
    kind: v.literal('http'),
    url: text,
    transport: v.optional(v.literal('sse')),
    headers: v.optional(v.array(value)),
  }),
]);
const pair = v.tuple([text, text]);

/** What stands in each file. */
export const schemas = {
  servers: v.object({
    version: v.literal(VERSION),
    servers: v.array(server),
    switchedOff: v.array(key),
    order: v.array(key),
  }),
  secrets: v.object({
    version: v.literal(VERSION),
    secrets: v.array(v.object({ of: key, values: v.array(pair), inputs: v.array(pair) })),
  }),
  confirmations: v.object({
    version: v.literal(VERSION),
    confirmed: v.array(v.object({ of: key, hash: text })),
  }),
};

/** One of the files. */
export type Part = keyof typeof schemas;

/** What all files hold. */
export type Contents = { [P in Part]: v.InferOutput<(typeof schemas)[P]> };

/** What they hold before anything is kept. */
export const empty: Contents = {
  servers: { version: VERSION, servers: [], switchedOff: [], order: [] },
  secrets: { version: VERSION, secrets: [] },
  confirmations: { version: VERSION, confirmed: [] },
};

/** Takes the two halves of what is kept together; a secret that is gone is asked for like an input. */
export const toStored = ({ servers: kept, secrets, confirmations }: Contents): Stored => {
  const given = new Map<string, Map<string, string>>();
  const values = new Map<string, Map<string, string>>();
  for (const { of, ...held } of secrets.secrets) {
    given.set(toKeyText(of), new Map(held.inputs));
    values.set(toKeyText(of), new Map(held.values));
  }
  const servers = kept.servers.map(({ enabled, inputs = [], ...draft }): Entry => {
    const entryKey: EntryKey = ['kept', draft.name];
    const secret = values.get(toKeyText(entryKey));
    const lost: EntryInput[] = [];
    const fill = <T extends { name: string; text?: string | undefined }>(one: T) => {
      const found = one.text ?? secret?.get(one.name);
      if (found !== undefined) return { name: one.name, text: found };
      lost.push({
        id: one.name,
        description: `${one.name}: its value is not stored any more`,
        password: true,
      });
      return { name: one.name, text: `\${input:${one.name}}` };
    };
    const { name, isNameDerived, account } = draft;
    const named = {
      name,
      ...(isNameDerived !== undefined && { isNameDerived }),
      ...(account !== undefined && { account }),
    };
    const config =
      draft.kind === 'stdio'
        ? toEntryConfig({
            ...named,
            kind: 'stdio',
            command: draft.command,
            args: draft.args,
            ...(draft.cwd !== undefined && { cwd: draft.cwd }),
            ...(draft.env !== undefined && { env: draft.env.map(fill) }),
          })
        : toEntryConfig({
            ...named,
            kind: 'http',
            url: draft.url,
            ...(draft.transport !== undefined && { transport: draft.transport }),
            ...(draft.headers !== undefined && { headers: draft.headers.map(fill) }),
          });
    return {
      key: entryKey,
      config,
      inputs: toEntryInputs(config, [...inputs.map(toInput), ...lost]),
      given: given.get(toKeyText(entryKey)) ?? new Map<string, string>(),
      enabled,
    };
  });
  return {
    servers,
    switchedOff: new Set(kept.switchedOff.map(toKeyText)),
    order: kept.order.map(toKeyText),
    given,
    confirmed: new Map(confirmations.confirmed.map(({ of, hash }) => [toKeyText(of), hash])),
  };
};

/** Leaves members without a value out, as the types of our own want it. */
const toInput = ({
  id,
  description,
  password,
  options,
  default: first,
}: v.InferOutput<typeof input>): EntryInput => ({
  id,
  password,
  ...(description !== undefined && { description }),
  ...(options !== undefined && { options }),
  ...(first !== undefined && { default: first }),
});

// The texts were made by `toKeyText`, of keys.
const toKey = (keyText: string): EntryKey => JSON.parse(keyText) as EntryKey;

/** Parts what is kept into the files: secrets stand in one of their own. */
export const toContents = ({ servers, switchedOff, order, given, confirmed }: Stored): Contents => {
  const values = new Map<string, [string, string][]>();
  const kept = servers.map(
    ({ key: entryKey, config, inputs, enabled }): Contents['servers']['servers'][number] => {
      const apart: [string, string][] = [];
      const part = (all: Record<string, string> = {}) =>
        Object.entries(all).map(([name, held]) => {
          if (!isSecretValue(name, held)) return { name, text: held };
          apart.push([name, held]);
          return { name, secret: true as const };
        });
      const { name, isNameDerived, account } = config;
      const named = {
        name,
        isNameDerived,
        account,
        inputs: inputs.length > 0 ? [...inputs] : undefined,
        enabled,
      };
      const made: Contents['servers']['servers'][number] =
        config.kind === 'stdio'
          ? {
              ...named,
              kind: 'stdio',
              command: config.command,
              args: config.args,
              cwd: config.cwd,
              env: config.env && part(config.env),
            }
          : {
              ...named,
              kind: 'http',
              url: config.url,
              transport: config.transport,
              headers: config.headers && part(config.headers),
            };
      if (apart.length > 0) values.set(toKeyText(entryKey), apart);
      return made;
    },
  );
  const secretKeys = new Set([
    ...values.keys(),
    ...[...given].flatMap(([of, held]) => (held.size > 0 ? [of] : [])),
  ]);
  return {
    servers: {
      version: VERSION,
      servers: kept,
      switchedOff: [...switchedOff].map(toKey) as Contents['servers']['switchedOff'],
      order: order.map(toKey) as Contents['servers']['order'],
    },
    secrets: {
      version: VERSION,
      secrets: [...secretKeys].map((of) => ({
        of: toKey(of) as v.InferOutput<typeof key>,
        values: values.get(of) ?? [],
        inputs: [...(given.get(of) ?? [])],
      })),
    },
    confirmations: {
      version: VERSION,
      confirmed: [...confirmed].map(([of, hash]) => ({ of: toKey(of) as v.InferOutput<typeof key>, hash })),
    },
  };
};

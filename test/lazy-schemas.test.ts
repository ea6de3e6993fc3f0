import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
// @ts-expect-error -- scripts are plain JavaScript without types
import { toLazySchemas as untyped } from '../scripts/lib/lazy-schemas.mjs';

const toLazySchemas = untyped as (source: string, path: string) => string;

const root = join(import.meta.dirname, '..');
const importText = (text: string): Promise<Record<string, unknown>> =>
  // A module of which nothing is known but its names.
  import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`) as Promise<
    Record<string, unknown>
  >;

const sample = `
export const made = [];
const make = (name) => (made.push(name), { name });
const NameSchema = make('Name');
const OtherSchema = ((of) => ({ of, ...make('Other') }))(NameSchema);
const table = { NameSchema, OtherSchema, BothSchema: [NameSchema, make('Both')], plain: make('plain') };
const byMethod = { 'name/get': NameSchema, other: table.OtherSchema };
function build() {
	const NameSchema$1 = make('inner');
	return { NameSchema: NameSchema$1 };
}
const ROOT_KEYS = make(Object.keys(NameSchema).join());
function readKeys() {
	return ROOT_KEYS;
}
export { NameSchema as a, table, byMethod, build, readKeys };
`;

describe('schemas that are made when they are asked for', () => {
  test('the first message is known by its name, and another way to ask for it stops the build', async () => {
    const asked = 'const isInitializeRequest = (value) => InitializeRequestSchema.safeParse(value).success;';
    const text = toLazySchemas(`${asked}\nexport { isInitializeRequest };`, 'sample');
    const { isInitializeRequest: isFirst } = (await importText(text)) as {
      isInitializeRequest: (value: unknown) => boolean;
    };
    const messages = [{ method: 'initialize' }, { method: 'tools/list' }, { result: {} }, undefined];
    expect(messages.map(isFirst)).toEqual([true, false, false, false]);
    expect(() => toLazySchemas(asked.replace('.success', '.ok'), 'sample')).toThrow('first message');
  });

  test('plain messages and events are found without them, in every place where the client asks', async () => {
    const from = createRequire(join(root, 'packages/gateway/package.json'));
    const folder = dirname(from.resolve('@modelcontextprotocol/client'));
    const names = (await readdir(folder)).filter((name) => name.endsWith('.mjs'));
    const texts = await Promise.all(
      names.map(async (name) => toLazySchemas(await readFile(join(folder, name), 'utf8'), name)),
    );
    const text = texts.join('\n');
    for (const kind of ['request', 'notification', 'result', 'error'])
      expect(text.split(`isMessageOf('${kind}', value,`), kind).toHaveLength(2);
    expect(text.match(/readMessage\(\w+, \(\) => JSONRPCMessageSchema/g)).toHaveLength(5);
    expect(text.split('createPlainEvents(createParser, stream,')).toHaveLength(2);
    expect(text).not.toContain('EventSourceParserStream');
  });

  test('are made once, with what they need, and by every way they are reached', async () => {
    const {
      made,
      a,
      table,
      byMethod,
      build: buildAll,
      readKeys,
    } = (await importText(toLazySchemas(sample, 'sample'))) as {
      made: string[];
      a: () => unknown;
      table: Record<string, unknown>;
      byMethod: Record<string, unknown>;
      build: () => Record<string, unknown>;
      readKeys: () => unknown;
    };
    expect(made).toEqual(['plain']);
    const other = byMethod.other;
    expect(made).toEqual(['plain', 'Name', 'Other']);
    expect(other).toBe(table.OtherSchema);
    expect(other).toEqual({ of: a(), name: 'Other' });
    expect(byMethod['name/get']).toBe(table.NameSchema);
    expect(table.BothSchema).toBe(table.BothSchema);
    expect(Object.keys(table)).toEqual(['NameSchema', 'OtherSchema', 'BothSchema', 'plain']);
    const built = buildAll();
    expect(made).not.toContain('inner');
    expect(built.NameSchema).toBe(built.NameSchema);
    expect(made).toEqual(['plain', 'Name', 'Other', 'Both', 'inner']);
    expect(readKeys()).toEqual({ name: 'name' });
    expect(readKeys()).toBe(readKeys());
  });

  test('are refused where a name is bound in a way that cannot be changed', () => {
    expect(() => toLazySchemas('let NameSchema = 1;', 'a')).toThrow('a: NameSchema is no constant');
    expect(() => toLazySchemas('const f = (NameSchema) => NameSchema;', 'a')).toThrow('is no constant');
    expect(() => toLazySchemas('const _specTypeSchemas = {};', 'a')).toThrow('in another way now');
  });

  test('are, of the official client, the same as those that are made at once', async () => {
    // The client depends on this package; nobody else does.
    const from = createRequire(
      createRequire(join(root, 'packages/gateway/package.json')).resolve('@modelcontextprotocol/client'),
    );
    const entry = from.resolve('@modelcontextprotocol/core/internal').replace(/\.cjs$/, '.mjs');
    const bundle = async (isLazy: boolean): Promise<Record<string, unknown>> => {
      const { outputFiles } = await build({
        stdin: {
          contents: `export * from ${JSON.stringify(entry)}; export { toJSONSchema } from 'zod/v4';`,
          resolveDir: root,
        },
        bundle: true,
        format: 'esm',
        write: false,
        plugins: [
          {
            name: 'lazy',
            setup: ({ onLoad }) => {
              onLoad({ filter: /\/core\/dist\/[\w-]+\.mjs$/ }, async ({ path }) => {
                const text = await readFile(path, 'utf8');
                return { contents: isLazy ? toLazySchemas(text, path) : text };
              });
            },
          },
        ],
      });
      return importText(outputFiles[0]?.text ?? '');
    };
    const [eager, lazy] = [await bundle(false), await bundle(true)];
    const names = Object.keys(eager).filter((name) => /^[A-Z]\w*Schema$/.test(name));
    expect(names.length).toBeGreaterThan(150);
    const toJson = ({ toJSONSchema }: Record<string, unknown>, schema: unknown): unknown =>
      // Of zod, which is not a dependency of this folder: both bundles have their own.
      (toJSONSchema as (schema: unknown, options: object) => unknown)(schema, {
        unrepresentable: 'any',
        io: 'input',
      });
    for (const name of names) {
      const make = lazy[name];
      expect(make, name).toBeTypeOf('function');
      if (typeof make === 'function') expect(toJson(lazy, make()), name).toEqual(toJson(eager, eager[name]));
    }
  });
});

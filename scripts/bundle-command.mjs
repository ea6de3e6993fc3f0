// After the packages and the page are built: puts the command, the code of others that it needs and the example server
// into few files, with the licences of everything in them.
import { chmod, copyFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';
import { toLazySchemas } from './lib/lazy-schemas.mjs';
import { mergeChunks } from './lib/merge-chunks.mjs';
import { toNotices } from './lib/notices.mjs';
import { toPlainBuiltins } from './lib/plain-builtins.mjs';
import { root, runMain } from './lib/run.mjs';

const dist = join(root, 'packages/casement/dist');
const example = join(root, 'examples/weather-server');

const shared = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  mainFields: ['module', 'main'],
  // Names stay: errors are told apart by theirs, and a stack is read by people.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  metafile: true,
  // An optional dependency with a binary of its own for each system.
  external: ['@napi-rs/keyring'],
  write: false,
  logLevel: 'warning',
  // Left to a call of the constructor, such an expression would be made anew each time it is used.
  supported: { 'regexp-unicode-property-escapes': true },
};

/** Packages in the older module format ask for Node's own modules by this; the chunk of esbuild's own code passes it on. */
const toRequire =
  "import{createRequire as toRequire}from'node:module';const require=toRequire(import.meta.url);";
const withRequire = (text) => (text.includes('Dynamic require of') ? `${toRequire}${text}` : text);

/**
 * The official client's validator of JSON schemas is left out: the gateway gives every client another one, and this would be
 * a third of the code that is loaded with the first server.
 */
const withoutValidator = {
  name: 'without-validator',
  setup({ onLoad, onResolve }) {
    const namespace = 'without-validator';
    onResolve({ filter: /^@modelcontextprotocol\/client\/_shims$/ }, () => ({ path: 'shims', namespace }));
    onLoad({ filter: /./, namespace }, () => ({
      contents: `export const CORS_IS_POSSIBLE = false;
        export class DefaultJsonSchemaValidator {
          constructor() {
            throw new Error('A client was made without a validator.');
          }
        }`,
    }));
  },
};

/**
 * The code of models gets a copy of zod of its own. It needs all of zod, with every language; a file is put whole where all
 * who need parts of it find it, so that a start without models would load the same.
 */
const zodOfModels = {
  name: 'zod-of-models',
  setup({ onLoad, onResolve, resolve: find }) {
    const namespace = 'zod-of-models';
    onResolve({ filter: /^zod(?:\/|$)/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (pluginData === namespace || !/\/node_modules\/(?:ai|@ai-sdk)\//.test(importer)) return undefined;
      const found = await find(path, { resolveDir, kind, pluginData: namespace });
      return { ...found, namespace };
    });
    onResolve({ filter: /./, namespace }, async ({ path, importer, kind }) => {
      const found = await find(path, { resolveDir: dirname(importer), kind, pluginData: namespace });
      return { ...found, namespace };
    });
    onLoad({ filter: /./, namespace }, async ({ path }) => ({ contents: await readFile(path, 'utf8') }));
  },
};

/** zod would write and compile a function for each shape it reads; most are read once or twice. */
const plainZod = {
  name: 'plain-zod',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]core[\\/]core\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const contents = source.replace('__zod_globalConfig = {}', '__zod_globalConfig = { jitless: true }');
      if (contents === source) throw new Error('zod keeps its settings in another way now.');
      return { contents };
    });
  },
};

const toImport = (names, path) => `import{${names}}from${JSON.stringify(path)};`;
const transport = join(root, 'packages/gateway/dist/transport');

/** What the official client is given in place of its own, or of Node's: see each of them for the reason. */
const plainParts = [
  toImport('PlainHeaders as Headers', join(transport, 'plain-response.js')),
  toImport('isMessageOf,readMessage', join(transport, 'plain-message.js')),
  toImport('createPlainEvents', join(transport, 'plain-events.js')),
].join('');

/** The library that makes secrets for sign-ins takes Node's module of random values when it is loaded, for older Nodes too. */
const lateCrypto = {
  name: 'late-crypto',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]pkce-challenge[\\/]dist[\\/]index\.node\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const contents = source
        .replace(/^let crypto;\s*crypto =[^;]*;/, '')
        .replaceAll('(await crypto)', 'globalThis.crypto');
      if (/(?<!globalThis\.|node:)\bcrypto\b/.test(contents))
        throw new Error('pkce-challenge takes its random values in another way now.');
      return { contents };
    });
  },
};

const lazySchemas = {
  name: 'lazy-schemas',
  setup({ onLoad }) {
    onLoad(
      { filter: /[\\/]@modelcontextprotocol[\\/](?:client|core)[\\/]dist[\\/][\w-]+\.mjs$/ },
      async ({ path }) => ({
        contents: plainParts + toLazySchemas(await readFile(path, 'utf8'), path),
      }),
    );
  },
};

const bundleCommand = async () => {
  const { metafile, outputFiles } = await build({
    ...shared,
    entryPoints: { cli: 'packages/casement/src/cli.ts' },
    outdir: dist,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    define: { 'performance.now': 'readClockMs' },
    inject: ['scripts/lib/plain-clock.mjs'],
    plugins: [zodOfModels, withoutValidator, plainZod, lateCrypto, lazySchemas],
  });
  const { outputs, texts } = await mergeChunks({
    outputs: metafile.outputs,
    texts: outputFiles.map(({ path, text }) => [relative(root, path).replaceAll(sep, '/'), text]),
    entry: 'packages/casement/dist/cli.js',
    names: ['serve', 'live-connection'],
    options: shared,
  });
  return {
    metafile: { outputs },
    outputFiles: [...texts].map(([path, text]) => ({ path: join(root, path), text })),
  };
};

const bundleExample = () =>
  build({
    ...shared,
    entryPoints: { 'example/weather-server': join(example, 'src/main.ts') },
    outdir: dist,
  });

/** What the page was made from: another bundler wrote its files, but this one finds the same inputs. */
const bundlePage = () =>
  build({
    absWorkingDir: root,
    entryPoints: ['packages/inspector/src/main.tsx', 'packages/inspector/src/source/source-worker.ts'],
    // Vite's word for the address of a worker, which is the second entry here.
    external: ['*?worker&url'],
    outdir: dist,
    bundle: true,
    format: 'esm',
    metafile: true,
    write: false,
    logLevel: 'warning',
  });

/** The files that each output was made from, by their paths from the repository; what a plugin makes itself is ours. */
const toInputs = ({ metafile }) =>
  Object.entries(metafile.outputs).map(([output, { inputs }]) => [
    output,
    Object.keys(inputs)
      .filter((path) => !path.startsWith('without-validator:'))
      .map((path) => relative(root, resolve(root, path.replace(/^zod-of-models:/, '')))),
  ]);

runMain(async () => {
  const [command, weather, page] = await Promise.all([bundleCommand(), bundleExample(), bundlePage()]);
  for (const name of await readdir(dist))
    if (name !== 'page' && !name.startsWith('.')) await rm(join(dist, name), { recursive: true });
  for (const { path, text } of [...command.outputFiles, ...weather.outputFiles]) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, toPlainBuiltins(withRequire(text)));
  }
  await chmod(join(dist, 'cli.js'), 0o755);
  await copyFile(join(example, 'dist/dashboard.html'), join(dist, 'example/dashboard.html'));
  // `open` starts this script where a Linux has none of its own; it looks for it beside itself.
  await copyFile(join(root, 'node_modules/open/xdg-open'), join(dist, 'chunks/xdg-open'));
  const inputs = [command, weather, page].flatMap(toInputs);
  const files = [...new Set(inputs.flatMap(([, paths]) => paths))];
  await writeFile(join(dist, 'THIRD-PARTY-NOTICES.txt'), await toNotices(files));
  await mkdir(join(root, '.cache'), { recursive: true });
  await writeFile(join(root, '.cache/bundled-files.json'), JSON.stringify(Object.fromEntries(inputs)));
});

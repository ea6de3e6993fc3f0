// What a page has to load before anything can happen: entry chunks and their static imports, gzipped; code-split parts are not counted.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { root } from './run.mjs';

/** Bytes of a text after gzip at its strongest. */
const toGzipBytes = (content) => gzipSync(content, { level: 9 }).length;

const options = {
  bundle: true,
  minify: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  platform: 'browser',
  outdir: join(root, '.cache/sizes'),
  absWorkingDir: root,
  metafile: true,
  write: false,
  logLevel: 'warning',
};

/** The files that come with some of a build: these, and what they import at once. */
const listLoaded = ({ outputs }, starts) => {
  const loaded = new Set();
  const visit = (name) => {
    if (loaded.has(name)) return;
    loaded.add(name);
    for (const { path, kind, external } of outputs[name].imports)
      if (kind === 'import-statement' && !external) visit(path);
  };
  starts.forEach(visit);
  return [...loaded];
};

const toGzipOf = ({ outputFiles }, names) => {
  const contents = new Map(outputFiles.map((file) => [file.path, file.contents]));
  return names.reduce((sum, name) => sum + toGzipBytes(contents.get(join(root, name))), 0);
};

/** The source files in some of a build's files, by their share. */
const toParts = ({ outputs }, names) => {
  const parts = new Map();
  for (const name of names)
    for (const [input, { bytesInOutput }] of Object.entries(outputs[name].inputs))
      parts.set(input, (parts.get(input) ?? 0) + bytesInOutput);
  return [...parts].sort((a, b) => b[1] - a[1]);
};

/** The script that an app's page runs where everything it does is reported. */
export const measureEvidence = async () => {
  const { evidenceScript } = await import('../../packages/sandbox/dist/families/evidence.js');
  return { gzip: toGzipBytes(evidenceScript) };
};

/** Bundles ES modules with splitting and measures what loads eagerly; `parts` lists source files by their share. */
export const measureEager = async (entryPoints, external = []) => {
  const built = await build({ ...options, entryPoints, external });
  const { metafile } = built;
  // An output with an entry point is either one we asked for or a dynamic import; only the former starts a walk.
  const asked = new Set(entryPoints);
  const starts = Object.entries(metafile.outputs).filter(([, { entryPoint }]) => asked.has(entryPoint));
  const names = listLoaded(
    metafile,
    starts.map(([name]) => name),
  );
  return {
    bytes: names.reduce((sum, name) => sum + metafile.outputs[name].bytes, 0),
    gzip: toGzipOf(built, names),
    wholeGzip: toGzipOf(built, Object.keys(metafile.outputs)),
    chunks: names.length,
    parts: toParts(metafile, names),
  };
};

/**
 * What a page loads on demand until one plain MCP App, without declared domains or tools of its own, is ready and was
 * clicked once. `check` has no browser: `e2e/host/weight/weight.test.ts` shows that one really fetches these and no others.
 */
const plainAppParts = [
  'packages/host/dist/core/loaded/first-parts.js',
  'packages/host/dist/dom/page-parts.js',
];

/** A page that mounts apps, as an embedder bundles it: its files, and which of them one plain app brings. */
export const buildAppPage = async () => {
  const page =
    "export { mountApp } from '@casement/host'; export { createRecording } from '@casement/protocol/start';";
  const stdin = { contents: page, resolveDir: join(root, 'packages/react'), sourcefile: 'app-page.js' };
  const built = await build({ ...options, stdin });
  const { outputs } = built.metafile;
  const findPart = (part) =>
    Object.keys(outputs).find((name) => outputs[name].entryPoint === part) ??
    fail(`${part} is not loaded on demand any more.`);
  const [entry] = Object.keys(outputs).filter((name) => outputs[name].entryPoint?.endsWith('app-page.js'));
  const files = listLoaded(built.metafile, [entry, ...plainAppParts.map(findPart)]);
  const toName = (path) => path.slice(path.lastIndexOf('/') + 1);
  return {
    entry: toName(entry),
    /** What is loaded on demand, by its place in the host: the name of its file. */
    onDemand: new Map(
      Object.entries(outputs).flatMap(([name, { entryPoint }]) =>
        entryPoint && name !== entry
          ? [[entryPoint.replace(/^packages\/|dist\/|\.js$/g, ''), toName(name)]]
          : [],
      ),
    ),
    /** Every file by its name. */
    texts: new Map(built.outputFiles.map(({ path, text }) => [toName(path), text])),
    /** The names of those that one plain app brings. */
    withOneApp: files.map(toName),
    gzip: toGzipOf(built, files),
    parts: toParts(built.metafile, files),
  };
};

const fail = (message) => {
  throw new Error(message);
};

/** The two pages of the sandbox that one plain app loads besides, as they travel. */
export const measureSandboxPages = async () => {
  const { createSandboxHandler } = await import(
    join(root, 'packages/sandbox/dist/handler/sandbox-handler.js')
  );
  const { createPlainPolicy, toSandboxAddress } = await import(
    join(root, 'packages/sandbox/dist/address.js')
  );
  const [base, hostOrigin] = ['https://sandbox.example', 'https://host.example'];
  const app = { server: 'any', resourceUri: 'ui://any/app', family: 'mcp-apps' };
  const { proxyUrl, appUrl } = await toSandboxAddress(
    base,
    createPlainPolicy({ hostOrigin, base, ...app }).policy,
  );
  const handle = createSandboxHandler({ base, hostOrigins: [hostOrigin] });
  const sizes = await Promise.all(
    [proxyUrl, appUrl].map(async (url) => toGzipBytes(await (await handle(new Request(url))).text())),
  );
  return { gzip: sizes[0] + sizes[1] };
};

/** The host as an embedder loads it: core, DOM and element. */
export const measureHost = () => measureEager(hostEntries);

const hostEntries = ['packages/host/dist/index.js', 'packages/host/dist/element/index.js'];
const reactEntry = 'packages/react/dist/index.js';

/** What an entry adds to a page: everything of ours the page loads with it, without what it loads anyway. */
const measureAdded = async (entry, before) => {
  const external = ['react', 'react-dom', 'react/jsx-runtime'];
  const [both, alone] = await Promise.all([
    measureEager([...before, entry], external),
    measureEager(before, external),
  ]);
  return { gzip: both.gzip - alone.gzip };
};

/** What React's components add to the host. */
export const measureReact = () => measureAdded(reactEntry, hostEntries);

/** What the whole chat adds to those. */
export const measureChat = () =>
  measureAdded('packages/react/dist/chat/index.js', [...hostEntries, reactEntry]);

/** The typed class as an app bundles it, with all it needs. */
export const measureApp = () => measureEager(['packages/app/dist/app.js']);

/** The generated bridge with every adapter, as it stands in a page. */
export const measureBridge = async () => {
  const { generateBridgeIIFE } = await import(join(root, 'packages/app/dist/iife/index.js'));
  return { gzip: toGzipBytes(generateBridgeIIFE()) };
};

const importsOf = (code) =>
  [...code.matchAll(/(?:^|[;}\s])(?:import|export)\s*(?:[\w*{}\s,$]+from\s*)?["'](\.[^"']+)["']/g)].map(
    (match) => match[1],
  );

/** The inspector's first load: its HTML, styles included, with the script it names and the static imports of that. */
export const measureInspector = async (folder = join(root, 'packages/casement/dist/page')) => {
  const html = await readFile(join(folder, 'index.html'));
  const named = [...html.toString().matchAll(/"\/(assets\/[\w-]+\.(?:js|css))"/g)];
  if (named.length === 0) throw new Error("the inspector's document names no script.");
  const files = new Map([['index.html', toGzipBytes(html)]]);
  const visit = async (path) => {
    if (files.has(path)) return;
    const content = await readFile(join(folder, path));
    files.set(path, toGzipBytes(content));
    if (path.endsWith('.js'))
      for (const imported of importsOf(content.toString())) await visit(join(dirname(path), imported));
  };
  for (const [, path] of named) await visit(path);
  return { gzip: [...files.values()].reduce((sum, size) => sum + size, 0), files: [...files] };
};

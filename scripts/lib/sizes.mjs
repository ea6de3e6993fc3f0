// What a page has to load before anything can happen: entry chunks and their static imports, gzipped; code-split parts are not counted.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { root } from './run.mjs';

/** Bytes of a text after gzip at its strongest. */
const toGzipBytes = (content) => gzipSync(content, { level: 9 }).length;

/** Bundles ES modules with splitting and measures what loads eagerly; `parts` lists source files by their share. */
export const measureEager = async (entryPoints, external = []) => {
  const { metafile, outputFiles } = await build({
    entryPoints,
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    outdir: join(root, '.cache/sizes'),
    absWorkingDir: root,
    external,
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const contents = new Map(outputFiles.map((file) => [file.path, file.contents]));
  const eager = new Set();
  const visit = (name) => {
    if (eager.has(name)) return;
    eager.add(name);
    for (const { path, kind, external } of metafile.outputs[name].imports)
      if (kind === 'import-statement' && !external) visit(path);
  };
  // An output with an entry point is either one we asked for or a dynamic import; only the former starts a walk.
  const asked = new Set(entryPoints);
  for (const [name, output] of Object.entries(metafile.outputs))
    if (asked.has(output.entryPoint)) visit(name);
  const names = [...eager];
  const parts = new Map();
  for (const name of names)
    for (const [input, { bytesInOutput }] of Object.entries(metafile.outputs[name].inputs))
      parts.set(input, (parts.get(input) ?? 0) + bytesInOutput);
  const toGzip = (chunks) =>
    chunks.reduce((sum, name) => sum + toGzipBytes(contents.get(join(root, name))), 0);
  return {
    bytes: names.reduce((sum, name) => sum + contents.get(join(root, name)).length, 0),
    gzip: toGzip(names),
    wholeGzip: toGzip(Object.keys(metafile.outputs)),
    chunks: names.length,
    parts: [...parts].sort((a, b) => b[1] - a[1]),
  };
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

/** The inspector's first load: its HTML with the scripts, style sheets and static imports it names. */
export const measureInspector = async (folder = join(root, 'packages/casement/dist/page')) => {
  const html = await readFile(join(folder, 'index.html'));
  const named = [
    ...html.toString().matchAll(/<(?:script|link)\b[^>]*?\b(?:src|href)="([^"]+\.(?:js|css))"/g),
  ];
  const files = new Map([['index.html', toGzipBytes(html)]]);
  const visit = async (path) => {
    if (files.has(path)) return;
    const content = await readFile(join(folder, path));
    files.set(path, toGzipBytes(content));
    if (path.endsWith('.js'))
      for (const imported of importsOf(content.toString())) await visit(join(dirname(path), imported));
  };
  for (const [, path] of named) await visit(path.replace(/^\.?\//, ''));
  return { gzip: [...files.values()].reduce((sum, size) => sum + size, 0), files: [...files] };
};

// The inspector's page as it is shipped: one script for the first screen, a document with its own script and style in
// it, and a compressed form beside every file.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build as bundle } from 'esbuild';
import { build } from 'vite';

const isChunk = ({ type }) => type === 'chunk';
const runtime = '\0rolldown/runtime.js';

/**
 * Every module that the entry loads at once, whichever file the bundler would put it into. It may put its own runtime
 * into a part that is loaded late: that part is not loaded for it.
 */
const findFirstModules = (output) => {
  const chunks = new Map(output.filter(isChunk).map((chunk) => [chunk.fileName, chunk]));
  const seen = new Set();
  const visit = (name) => {
    const chunk = chunks.get(name);
    if (chunk === undefined || seen.has(chunk) || chunk.isDynamicEntry) return;
    seen.add(chunk);
    chunk.imports.forEach(visit);
  };
  for (const { isEntry, fileName } of chunks.values()) if (isEntry) visit(fileName);
  return new Set([runtime, ...[...seen].flatMap(({ moduleIds }) => moduleIds)]);
};

/**
 * Builds the application. The bundler makes a file of each module that a later part shares, twenty for the first
 * screen: a first pass says which modules those are, the second puts them into one file.
 */
const buildApplication = async (folder) => {
  const { output: parts } = await build({ root: folder, logLevel: 'error', build: { write: false } });
  const first = findFirstModules(parts);
  const group = { name: 'first', test: (id) => first.has(id), includeDependenciesRecursively: false };
  const { output } = await build({
    root: folder,
    logLevel: 'warn',
    build: { rolldownOptions: { output: { codeSplitting: { groups: [group] } } } },
  });
  const [entry, ...others] = output.filter((file) => isChunk(file) && file.isEntry);
  // What all files share of the bundler's own is a file beside it, of a few hundred bytes.
  const isRuntime = ({ moduleIds }) => moduleIds.length === 1 && moduleIds[0] === runtime;
  const shared = output.filter((file) => isChunk(file) && isRuntime(file)).map(({ fileName }) => fileName);
  if (entry === undefined || others.length > 0 || entry.imports.some((name) => !shared.includes(name)))
    throw new Error('the first screen of the page is not one script.');
  // A style sheet of the entry would be fetched again by every part that is loaded late.
  if (entry.viteMetadata.importedCss.size > 0)
    throw new Error('the first screen of the page has a style sheet beside that of its document.');
  return [entry.fileName, ...entry.imports];
};

/** The styles of the page; light-dark() must reach apps as it is written, so the target is the first to have it. */
const bundleStyle = async (folder) => {
  const { outputFiles } = await bundle({
    entryPoints: [join(folder, 'src/style.css')],
    bundle: true,
    minify: true,
    write: false,
    target: ['chrome123', 'firefox120', 'safari17.5'],
    logLevel: 'warning',
  });
  return outputFiles[0].text.trim();
};

/** The document's script: a function of its own, so that it leaves no names behind. */
const bundleStart = async (folder, scripts) => {
  const { outputFiles } = await bundle({
    entryPoints: [join(folder, 'src/start/start.ts')],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    logLevel: 'warning',
  });
  const urls = scripts.map((script) => `/${script}`);
  return `(()=>{const applicationUrls=${JSON.stringify(urls)};${outputFiles[0].text.trim()}})()`;
};

const replaceOnce = (text, from, to) => {
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`the document does not have ${from} once.`);
  return parts.join(to);
};

/** Puts script, style and icon into the document, so that its first request brings all that decides about the next. */
const writeDocument = async (folder, scripts) => {
  const [html, css, icon, start] = await Promise.all([
    readFile(join(folder, 'index.html'), 'utf8'),
    bundleStyle(folder),
    readFile(join(folder, 'src/page/icon.svg'), 'utf8'),
    bundleStart(folder, scripts),
  ]);
  if (/<\/script|<!--/i.test(start) || /<\/style|url\(/i.test(css))
    throw new Error('the script or style of the document would end its element, or refers to a file.');
  const inlined = [
    ['<link rel="stylesheet" href="src/style.css" />', `<style>${css}</style>`],
    ['<script type="module" src="src/start/start.ts"></script>', `<script>${start}</script>`],
    ['href="src/page/icon.svg"', `href="data:image/svg+xml,${encodeURIComponent(icon.trim())}"`],
  ].reduce((text, [from, to]) => replaceOnce(text, from, to), html);
  await writeFile(join(folder, 'dist/index.html'), inlined);
};

const compressors = {
  '.br': (content) =>
    promisify(brotliCompress)(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
    }),
  '.gz': (content) => promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
};

/** Lays a compressed form beside each file, where that is smaller. */
const compressFiles = async (folder) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const content = await readFile(path);
    for (const [extension, compress] of Object.entries(compressors)) {
      const compressed = await compress(content);
      if (compressed.length < content.length) await writeFile(`${path}${extension}`, compressed);
    }
  }
};

/** Builds the page of the inspector in its folder `dist`. */
export const buildPage = async (folder) => {
  await writeDocument(folder, await buildApplication(folder));
  await compressFiles(join(folder, 'dist'));
};

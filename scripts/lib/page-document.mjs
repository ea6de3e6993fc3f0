// The inspector's page as it is shipped: two scripts for the first screen, a document with its own script and style in
// it, and a compressed form beside every file.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build as bundle } from 'esbuild';
import { build } from 'vite';
import { inlineRuntime, runtime } from './inline-runtime.mjs';

const isChunk = ({ type }) => type === 'chunk';

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

/** What draws the page is half of its first code: a file beside ours, which changes more often. */
const isOfReact = (id) => /[\\/]node_modules[\\/](?:react|react-dom|scheduler)[\\/]/.test(id);

/** What acts on an app: it comes before Run is pressed, and nearly all of it runs in the tenth of a second after that. */
const partsOfApp = ['first-parts', 'page-parts', 'ready-app'];

/**
 * Has the browser compile every function of those parts when they come, on another thread, and not each at its first call,
 * when an app waits for it. Browsers that do not know the line pass over it.
 */
const compileParts = {
  name: 'compile-parts',
  enforce: 'post',
  generateBundle: {
    // The line counts at the beginning of a file alone.
    order: 'post',
    handler: (_options, output) => {
      const chunks = Object.values(output).filter((file) => isChunk(file) && partsOfApp.includes(file.name));
      if (chunks.length !== partsOfApp.length) throw new Error('a part that acts on apps has another name.');
      for (const chunk of chunks) chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`;
    },
  },
};

/**
 * Builds the application. The bundler makes a file of each module that a later part shares, twenty for the first
 * screen: a first pass says which modules those are, the second puts them into one file.
 */
const buildApplication = async (folder) => {
  const { output: parts } = await build({ root: folder, logLevel: 'error', build: { write: false } });
  const first = findFirstModules(parts);
  const toGroup = (name, test) => ({ name, test, includeDependenciesRecursively: false });
  const groups = [toGroup('react', isOfReact), toGroup('first', (id) => first.has(id))];
  const { output } = await build({
    root: folder,
    logLevel: 'warn',
    plugins: [inlineRuntime, compileParts],
    build: { rolldownOptions: { output: { codeSplitting: { groups } } } },
  });
  const [entry, ...others] = output.filter((file) => isChunk(file) && file.isEntry);
  const react = output.find((file) => isChunk(file) && file.moduleIds.every(isOfReact));
  const scripts = [entry, react].map((file) => file?.fileName);
  const isOther = (name) => !scripts.includes(name) && output.some(({ fileName }) => fileName === name);
  if (
    scripts.includes(undefined) ||
    others.length > 0 ||
    [entry, react].some((file) => file.imports.some(isOther))
  )
    throw new Error('the first screen of the page is not one script beside that of React.');
  // A style sheet of the entry would be fetched again by every part that is loaded late.
  if (entry.viteMetadata.importedCss.size > 0)
    throw new Error('the first screen of the page has a style sheet beside that of its document.');
  return scripts;
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

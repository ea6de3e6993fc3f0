// A bundler gives a chunk to each set of files that some parts of a program share. Node looks up every import of every
// chunk, which takes longer than to run most of them: chunks that are always loaded together are made one file here.
import { createHash } from 'node:crypto';
import { dirname, posix } from 'node:path';
import { build } from 'esbuild';

const toPath = (from, specifier) => posix.join(dirname(from), specifier);

const toSpecifier = (from, path) => {
  const relative = posix.relative(dirname(from), path);
  return relative.startsWith('.') ? relative : `./${relative}`;
};

/** The chunks that are loaded with one, itself first. */
const listLoaded = (outputs, path, loaded = new Set()) => {
  if (loaded.has(path)) return loaded;
  loaded.add(path);
  for (const { path: imported, kind } of outputs[path].imports)
    if (kind === 'import-statement' && outputs[imported]) listLoaded(outputs, imported, loaded);
  return loaded;
};

/** Names stay those of the first chunk, which others load while the program runs; those of the rest get a number. */
const toName = (index, name) => (index === 0 ? name : `${name}$${index}`);

const mergeTexts = async ({ texts, outputs, group, options }) => {
  const contents = group
    .map((path, index) => {
      const names = outputs[path].exports.map((name) => `${name} as ${toName(index, name)}`);
      return `export{${names.join(',')}}from"${path}";`;
    })
    .join('\n');
  const plugin = {
    name: 'merge-chunks',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /./ }, ({ path, importer, kind }) => {
        if (kind === 'entry-point') return { path, namespace: 'merged' };
        if (!path.startsWith('.') && importer !== 'merged') return { path, external: true };
        const found = importer === 'merged' ? path : toPath(importer, path);
        if (kind === 'import-statement' && group.includes(found)) return { path: found, namespace: 'merged' };
        return { path, external: true };
      });
      onLoad({ filter: /./, namespace: 'merged' }, ({ path }) => ({
        contents: path === 'merged' ? contents : texts.get(path),
      }));
    },
  };
  const { outputFiles } = await build({
    ...options,
    entryPoints: ['merged'],
    plugins: [plugin],
    metafile: false,
    write: false,
  });
  return outputFiles[0].text;
};

/** Lets a chunk import from the merged files what it imported from the chunks in them. */
const toMergedImports = (text, from, merged) => {
  const find = (specifier) => merged.get(toPath(from, specifier));
  return text
    .replace(/\bimport\s*\{([^{}]*)\}\s*from\s*"(\.[^"]+)"/g, (whole, clause, specifier) => {
      const target = find(specifier);
      if (target === undefined) return whole;
      const names = clause.split(',').map((part) => {
        const [name, local = name] = part.trim().split(/\s+as\s+/);
        return `${toName(target.index, name)} as ${local}`;
      });
      return `import{${names.join(',')}}from"${toSpecifier(from, target.path)}"`;
    })
    .replace(/\bimport\s*(\(?)"(\.[^"]+)"/g, (whole, open, specifier) => {
      const target = find(specifier);
      return target === undefined ? whole : `import${open}"${toSpecifier(from, target.path)}"`;
    });
};

/**
 * Puts a hash of all files into the name of each chunk: a command that runs while another release is installed must not
 * load a part of that, and a chunk of its own name could import one that it has not.
 */
const nameByHash = ({ outputs, texts }, entry) => {
  const hash = createHash('sha256');
  for (const [path, text] of texts) hash.update(`${path}\n${text}\n`);
  const suffix = hash.digest('hex').slice(0, 8);
  const names = new Map(
    Object.keys(outputs)
      .filter((path) => path !== entry)
      .map((path) => [path, path.replace(/\.js$/, `-${suffix}.js`)]),
  );
  const toNamed = (text, from) =>
    text.replace(/\b(import\s*\(?|from\s*)"(\.[^"]+)"/g, (whole, before, specifier) => {
      const path = names.get(toPath(from, specifier));
      return path === undefined ? whole : `${before}"${toSpecifier(from, path)}"`;
    });
  const rename = (path) => names.get(path) ?? path;
  return {
    outputs: Object.fromEntries(Object.entries(outputs).map(([path, output]) => [rename(path), output])),
    texts: new Map([...texts].map(([path, text]) => [rename(path), toNamed(text, path)])),
  };
};

/**
 * Merges what is loaded with the entry, and what is loaded besides with each of `names`. `outputs` are the bundler's,
 * `texts` their contents by path; both are returned as they are with the merged files in place of their chunks.
 */
export const mergeChunks = async ({ outputs, texts, entry, names, options }) => {
  const ofEntry = listLoaded(outputs, entry);
  const taken = new Set(ofEntry);
  const groups = [{ name: 'basics', group: [...ofEntry].filter((path) => path !== entry) }];
  for (const name of names) {
    const first = Object.keys(outputs).find((path) => posix.basename(path).startsWith(name));
    const group = [...listLoaded(outputs, first)].filter((path) => !taken.has(path));
    for (const path of group) taken.add(path);
    groups.push({ name, group });
  }
  const known = { outputs: { ...outputs }, texts: new Map(texts) };
  for (const { name, group } of groups) {
    const text = await mergeTexts({ ...known, group, options });
    const path = posix.join(dirname(group[0]), `${name}.js`);
    const merged = new Map(group.map((chunk, index) => [chunk, { path, index }]));
    const inputs = Object.assign({}, ...group.map((chunk) => known.outputs[chunk].inputs));
    for (const chunk of group) {
      delete known.outputs[chunk];
      known.texts.delete(chunk);
    }
    known.outputs[path] = { inputs };
    known.texts.set(path, text);
    for (const [from, changed] of known.texts) known.texts.set(from, toMergedImports(changed, from, merged));
  }
  return nameByHash(known, entry);
};

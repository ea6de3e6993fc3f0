import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../../scripts/lib/run.mjs';

/** Bundles a page's script as an embedder would: its files by their path. */
export const bundlePage = async (entry) => {
  const outdir = join(root, '.cache/bench');
  const { outputFiles } = await build({
    entryPoints: [join(root, 'bench/pages', entry)],
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    outdir,
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
  });
  return new Map(outputFiles.map(({ path, text }) => [path.slice(outdir.length), text]));
};

import { build, type BuildOptions } from 'esbuild';

const built = new Map<string, Promise<string>>();

const run = async (options: BuildOptions): Promise<string> => {
  const { outputFiles } = await build({
    bundle: true,
    format: 'iife',
    target: 'es2022',
    logLevel: 'warning',
    define: { 'process.env.NODE_ENV': '"development"' },
    ...options,
    write: false,
  });
  return outputFiles?.[0]?.text ?? '';
};

/** A script or style sheet for a test's page in one piece; built once for all test files of a process. */
export const bundle = (options: BuildOptions): Promise<string> => {
  const key = JSON.stringify(options);
  const known = built.get(key) ?? run(options);
  built.set(key, known);
  return known;
};

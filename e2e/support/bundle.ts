import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { build, type BuildOptions } from 'esbuild';
import type { Frame, Page } from 'playwright-core';

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

const served = new Map<string, string>();

/** Answers a request for a bundle; `false` when it is for something else. */
export const sendBundle = ({ url = '' }: IncomingMessage, response: ServerResponse): boolean => {
  const script = served.get(url);
  if (script === undefined) return false;
  response.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'max-age=3600' }).end(script);
  return true;
};

/**
 * Runs a bundle in a page whose server answers with `sendBundle`. By its address it is read and compiled once for all
 * documents of a tab; as a text it would be sent to the browser again for each.
 */
export const addBundle = async (target: Page | Frame, options: BuildOptions): Promise<void> => {
  const script = await bundle(options);
  const url = `/bundle/${createHash('sha256').update(script).digest('hex')}.js`;
  served.set(url, script);
  await target.addScriptTag({ url });
};

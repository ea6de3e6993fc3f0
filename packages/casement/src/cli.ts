#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { useCompileCache } from './compile-cache.js';
import { parseCommandLine } from './parse-command-line.js';
import { toErrorSentence } from './report.js';
import { usage } from './usage.js';

const toShippedPath = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const readVersion = (): string => {
  const manifest: unknown = JSON.parse(readFileSync(toShippedPath('../package.json'), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : '0.0.0';
};

try {
  const invocation = parseCommandLine(process.argv.slice(2));
  if (invocation.kind === 'help') process.stdout.write(usage);
  else if (invocation.kind === 'version') process.stdout.write(`${readVersion()}\n`);
  else if (invocation.kind === 'forget') {
    const { forget } = await import('./forget.js');
    process.exitCode = await forget(invocation);
  } else {
    const version = readVersion();
    useCompileCache(version);
    // What was imported before the cache was chosen would be compiled at every start: everything else comes here.
    const { serve } = await import('./serve.js');
    await serve(invocation, {
      version,
      pageDir: toShippedPath('./page/'),
      exampleServer: toShippedPath('./example/weather-server.js'),
    });
  }
} catch (error) {
  process.stderr.write(toErrorSentence(error));
  process.exit(2);
}

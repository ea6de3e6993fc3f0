import { join } from 'node:path';

const e2e = join(import.meta.dirname, '..');
const published = join(e2e, 'servers', 'node_modules');

const node = (script: string, ...args: string[]): string[] => [process.execPath, script, ...args];

/** A script of a published server. */
export const publishedScript = (name: string, file = 'index.js'): string =>
  join(published, name, 'dist', file);

/** The command of the published PDF server with these files. */
export const pdfServer = (...files: string[]): string[] =>
  node(publishedScript('@modelcontextprotocol/server-pdf'), '--stdio', ...files);

/** Commands of servers written by others. */
export const publishedServers = {
  basicReact: node(publishedScript('@modelcontextprotocol/server-basic-react'), '--stdio'),
  basicReact1: node(publishedScript('basic-react-1'), '--stdio'),
  debug: node(publishedScript('@modelcontextprotocol/server-debug'), '--stdio'),
  map: node(publishedScript('@modelcontextprotocol/server-map'), '--stdio'),
  monitor: node(publishedScript('@modelcontextprotocol/server-system-monitor'), '--stdio'),
};

interface FixtureOptions {
  readonly name?: string;
  readonly leak?: string;
  readonly pidFile?: string;
  readonly stubborn?: boolean;
}

/** The command of the fixture server with its guests and misbehaviours. */
export const fixtureServer = ({ name, leak, pidFile, stubborn }: FixtureOptions = {}): string[] =>
  node(
    join(e2e, 'fixtures', 'fixture-server.mjs'),
    ...(name ? ['--name', name] : []),
    ...(leak ? ['--leak', leak] : []),
    ...(pidFile ? ['--pid-file', pidFile] : []),
    ...(stubborn ? ['--stubborn'] : []),
  );

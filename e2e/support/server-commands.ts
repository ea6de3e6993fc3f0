import { join } from 'node:path';

const e2e = join(import.meta.dirname, '..');
const published = join(e2e, 'servers', 'node_modules');

const node = (script: string, ...args: string[]): string[] => [process.execPath, script, ...args];

/** Commands of servers written by others. */
export const publishedServers = {
  basicReact: node(join(published, '@modelcontextprotocol/server-basic-react/dist/index.js'), '--stdio'),
  basicReact1: node(join(published, 'basic-react-1/dist/index.js'), '--stdio'),
  debug: node(join(published, '@modelcontextprotocol/server-debug/dist/index.js'), '--stdio'),
  map: node(join(published, '@modelcontextprotocol/server-map/dist/index.js'), '--stdio'),
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

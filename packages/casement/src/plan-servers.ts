import { basename, dirname, extname, resolve } from 'node:path';
import type { GatewayOptions, ServerConfig, ServerSummary } from '@casement/gateway';
import { CasementError } from '@casement/protocol/start';
import type { ServeRequest, ServerArgument } from './parse-command-line.js';

/** What the gateway is told about servers. */
export interface ServerPlan extends Pick<GatewayOptions, 'configFile' | 'trustConfig'> {
  /** The server that was named. */
  servers: ServerConfig[];
  /** The bundled example, where nothing was asked for; it stands in where no server is kept either. */
  fallback?: ServerConfig;
}

// Programs that run another program: the interesting name is what they run.
const runners = new Set([
  'node',
  'npx',
  'npm',
  'bun',
  'bunx',
  'deno',
  'tsx',
  'python',
  'python3',
  'uv',
  'uvx',
]);
// After one of these comes program text, not a program's name.
const evalFlags = new Set(['-e', '--eval', '-p', '--print', '-c', '--input-type']);
const runnerWords = new Set(['run', 'exec', 'x', 'dlx', 'start', 'tool']);
// File names every project has; their folder says more.
const plainNames = new Set(['index', 'main', 'server', 'cli', 'dist', 'build', 'src', 'lib', 'bin']);

const withoutExtension = (path: string): string => basename(path, extname(path));

const toFileName = (path: string): string => {
  let name = withoutExtension(path);
  let folder = dirname(resolve(path));
  while (plainNames.has(name) && dirname(folder) !== folder) {
    name = basename(folder);
    folder = dirname(folder);
  }
  return name || 'server';
};

const isPackageName = (word: string): boolean => /^@[\w.-]+\/[\w.-]+(?:@[^/]*)?$/.test(word);

const withoutVersion = (name: string): string => name.split('@', 1)[0] ?? '';

const toCommandName = (command: string, args: readonly string[]): string => {
  const program = withoutExtension(command);
  const runs = runners.has(program) && !args.some((word) => evalFlags.has(word));
  const target = runs ? args.find((word) => !word.startsWith('-') && !runnerWords.has(word)) : undefined;
  if (target === undefined) return program;
  if (isPackageName(target)) return withoutVersion(target.slice(1)).replace('/', '-');
  return /[/\\.]/.test(target) ? toFileName(target) : withoutVersion(target);
};

/** Names a server after what it is, in letters that need no quoting in an address. */
export const toServerName = (server: ServerArgument): string => {
  const name =
    server.kind === 'url' ? new URL(server.url).hostname : toCommandName(server.command, server.args);
  return name.replace(/[^\w.-]+/g, '-').replace(/^[-.]+|(?<![-.])[-.]+$/g, '') || 'server';
};

const toConfig = (server: ServerArgument, name: string, env: Record<string, string>): ServerConfig =>
  server.kind === 'url'
    ? { name, isNameDerived: true, kind: 'http', url: server.url }
    : {
        name,
        isNameDerived: true,
        kind: 'stdio',
        command: server.command,
        args: server.args,
        // The user typed it: it sees their shell's environment.
        inheritEnv: true,
        ...(Object.keys(env).length > 0 && { env }),
      };

/** The variables named by --env, with their values. */
const readNamed = ({ env = [], server }: ServeRequest, environment: NodeJS.ProcessEnv) => {
  if (env.length > 0 && server?.kind !== 'command') {
    throw new CasementError('bad-flag', '--env is for a server that is started by a command', {
      hint: 'In a config file write the variable into "env" of its entry',
    });
  }
  return Object.fromEntries(
    env.map((name) => {
      const value = environment[name];
      if (value !== undefined) return [name, value];
      throw new CasementError('bad-flag', `--env ${name} names a variable that is not set`, {
        hint: 'Set it, or leave the option out',
      });
    }),
  );
};

const toExample = (program: string): ServerConfig => ({
  name: 'weather',
  kind: 'stdio',
  command: process.execPath,
  args: [program],
  inheritEnv: false,
});

/** Turns what was asked for into what the gateway takes: the server named, a config file, else the example. */
export const planServers = (
  request: ServeRequest,
  environment: NodeJS.ProcessEnv,
  exampleProgram: string,
): ServerPlan => {
  const env = readNamed(request, environment);
  const { server, config } = request;
  return {
    servers: server === undefined ? [] : [toConfig(server, toServerName(server), env)],
    ...(config === undefined
      ? server === undefined && { fallback: toExample(exampleProgram) }
      : { configFile: config, trustConfig: request.trustConfig ?? false }),
  };
};

/** Those without which starting makes no sense: what was typed, and the only server of a config file. */
export const findRequired = (
  { configFile }: ServerPlan,
  servers: readonly ServerSummary[],
): readonly ServerSummary[] => {
  const typed = servers.filter(({ source }) => source === 'typed');
  if (typed.length > 0 || configFile === undefined) return typed;
  const ofFile = servers.filter(({ source }) => source === 'file');
  // Of several, some may fail and the others are still worth showing.
  return ofFile.length === 1 ? ofFile : [];
};

import { readFile } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import type { ServerConfig } from '@casement/gateway';
import { parseServerConfigs } from '@casement/gateway';
import { CasementError } from '@casement/protocol/start';
import type { ServeRequest, ServerArgument } from './parse-command-line.js';

/** The servers to connect, the one to show first in front, and those without which starting makes no sense. */
export interface ServerPlan {
  servers: ServerConfig[];
  required: string[];
  /** True when no server was asked for and the bundled example stands in. */
  example: boolean;
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

const toUniqueName = (name: string, taken: readonly ServerConfig[]): string => {
  const names = new Set(taken.map((server) => server.name));
  let unique = name;
  for (let count = 2; names.has(unique); count += 1) unique = `${name}-${count}`;
  return unique;
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

const readConfigFile = async (path: string): Promise<ServerConfig[]> => {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new CasementError(
      'config-unreadable',
      `The config file "${path}" could not be read: ${toReason(cause)}`,
      {
        hint: 'Check the path given to --config',
        cause,
      },
    );
  }
  const { parseJsonWithComments } = await import('./json-with-comments.js');
  let json: unknown;
  try {
    json = parseJsonWithComments(text);
  } catch (cause) {
    throw new CasementError('config-invalid', `The config file "${path}" is not JSON: ${toReason(cause)}`, {
      hint: 'Correct the file and try again',
      cause,
    });
  }
  return parseServerConfigs(json, path);
};

const reasons = new Map([
  ['ENOENT', 'there is no such file'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'reading it is not permitted'],
]);

const toReason = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return reasons.get(code) ?? error.message;
};

const toExample = (program: string): ServerConfig => ({
  name: 'weather',
  kind: 'stdio',
  command: process.execPath,
  args: [program],
  inheritEnv: false,
});

/** Turns what was asked for into servers to connect: the config file's, then the one named, else the example. */
export const planServers = async (
  request: ServeRequest,
  environment: NodeJS.ProcessEnv,
  exampleProgram: string,
): Promise<ServerPlan> => {
  const env = readNamed(request, environment);
  const servers = request.config === undefined ? [] : await readConfigFile(request.config);
  // The only server of a file is as good as named; of several, some may fail and the others are still worth showing.
  const required = servers.length === 1 ? servers.map((server) => server.name) : [];
  if (request.server) {
    const name = toUniqueName(toServerName(request.server), servers);
    return { servers: [toConfig(request.server, name, env), ...servers], required: [name], example: false };
  }
  if (servers.length > 0) return { servers, required, example: false };
  if (request.config !== undefined)
    throw new CasementError('config-invalid', `The config file "${request.config}" names no server`, {
      hint: 'Add one under "mcpServers" or "servers"',
    });
  const example = toExample(exampleProgram);
  return { servers: [example], required: [example.name], example: true };
};

import { basename } from 'node:path';
import type { ServerConfig, StdioServerConfig } from '../facts/server-config.js';

/** Sooner than this nothing is called slow. */
const SLOW_AFTER_MS = 1000;

/** Programs that fetch what they run: by their first word, or by their first two. */
const fetchers: ReadonlyMap<string, readonly string[] | 'always'> = new Map<
  string,
  readonly string[] | 'always'
>([
  ['npx', 'always'],
  ['pnpx', 'always'],
  ['bunx', 'always'],
  ['uvx', 'always'],
  ['npm', ['exec', 'x', 'create', 'init']],
  ['pnpm', ['dlx']],
  ['yarn', ['dlx']],
  ['bun', ['x', 'install']],
  ['uv', ['run', 'tool']],
  ['pipx', ['run']],
  ['docker', ['run']],
  ['podman', ['run']],
]);

/** The program that fetches the server before it runs it, if the command is such a one. */
export const findFetcher = ({
  command,
  args,
}: Pick<StdioServerConfig, 'command' | 'args'>): string | undefined => {
  const program = basename(command).replace(/\.(?:cmd|exe|ps1)$/i, '');
  const words = fetchers.get(program);
  if (words === undefined) return undefined;
  const first = args.find((arg) => !arg.startsWith('-')) ?? '';
  return words === 'always' || words.includes(first) ? program : undefined;
};

/** A program that fetches what it runs may take this many times as long to answer as any other. */
const FETCH_FACTOR = 5;

/** How long a server may take to answer for the first time. */
export const toStartLimitMs = (config: ServerConfig, requestMs: number): number =>
  config.kind === 'stdio' && findFetcher(config) !== undefined ? requestMs * FETCH_FACTOR : requestMs;

/** What most likely makes a start slow; nobody can know what another program does, so that it is said as likely. */
export const toSlowNote = (
  config: StdioServerConfig,
  { elapsedMs, hasSpoken }: { elapsedMs: number; hasSpoken: boolean },
): string | undefined => {
  if (elapsedMs < SLOW_AFTER_MS || hasSpoken) return undefined;
  const fetcher = findFetcher(config);
  return fetcher === undefined
    ? undefined
    : `${fetcher} is probably still installing: the server itself has written nothing yet.`;
};

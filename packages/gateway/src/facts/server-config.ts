import { toPrintable } from '@casement/protocol/basics';
import { CasementError, isRecord } from '@casement/protocol/start';

/** A server that runs as a child process and speaks over its standard streams. */
export interface StdioServerConfig {
  name: string;
  /** True for a name made from the command or address: it is then no part of who the server is. */
  isNameDerived?: boolean;
  /** Whose account it uses, in the user's words: two accounts of one server are two servers to apps. */
  account?: string;
  kind: 'stdio';
  command: string;
  args: string[];
  env?: Record<string, string>;
  cwd?: string;
  /** True for a command the user typed: it then sees the environment of their shell. */
  inheritEnv: boolean;
}

/** A server that speaks Streamable HTTP or the older HTTP+SSE. */
export interface HttpServerConfig {
  name: string;
  isNameDerived?: boolean;
  account?: string;
  kind: 'http';
  url: string;
  /** Use HTTP+SSE at once; without it Streamable HTTP is tried first. */
  transport?: 'sse';
  headers?: Record<string, string>;
}

/** How one MCP server is reached. */
export type ServerConfig = StdioServerConfig | HttpServerConfig;

/** Headers that the transport sets itself, or that could split one request into two (C19). */
const ownHeaders = new Set(
  'host connection content-length content-type transfer-encoding te trailer upgrade keep-alive expect accept mcp-session-id mcp-protocol-version cookie2'.split(
    ' ',
  ),
);

const refuse = (name: string, why: string): never => {
  throw new CasementError('config-invalid', `The server "${toPrintable(name, 100)}" ${why}.`, {
    hint: 'Correct the entry: { "command", "args", "env", "cwd" } or { "url", "headers" }, and "account" if you like.',
  });
};

// A terminal obeys them, a process list hides what follows them, and no program takes them as arguments (C17).
const isPlainText = (value: string): boolean => !/\p{Cc}/u.test(value);

const checkStdio = ({ name, command, args, cwd, env }: StdioServerConfig): void => {
  if (command.trim() === '') refuse(name, 'has an empty command');
  if (![command, cwd ?? '', ...args].every(isPlainText)) {
    refuse(name, 'has a control character, such as a line break, in its command, arguments or folder');
  }
  for (const [key, value] of Object.entries(env ?? {})) {
    if (key === '' || key.includes('=') || !isPlainText(key) || value.includes('\0')) {
      refuse(name, `has an environment entry that cannot be set: "${toPrintable(key, 60)}"`);
    }
  }
};

/** A variable in front of the path would decide, after the user's yes, whom everything is sent to. */
const hasOpenHost = (url: string): boolean => {
  const at = url.indexOf('${');
  return at >= 0 && !/^[a-z]+:[/\\]{2}[^/\\?#]+[/\\?#]/i.test(url.slice(0, at));
};

const checkHttp = ({ name, url, headers }: HttpServerConfig): void => {
  if (hasOpenHost(url)) refuse(name, 'has a variable in the host of its address: write the host out');
  const parsed = URL.canParse(url) ? new URL(url) : refuse(name, 'has an address that is not a URL');
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') {
    refuse(name, 'has an address that is neither http nor https');
  }
  if (parsed.username !== '' || parsed.password !== '') {
    refuse(name, 'has a user name or password in its address: give an Authorization header instead');
  }
  for (const [key, value] of Object.entries(headers ?? {})) {
    const isToken = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(key);
    if (!isToken || ownHeaders.has(key.toLowerCase()) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      refuse(name, `has a header that may not be sent: ${toPrintable(key, 60)}`);
    }
  }
};

/** Throws for a configuration that must not become a process or request. */
export const checkServerConfig = (config: ServerConfig): void => {
  const { name, account } = config;
  if (name === '' || name.length > 200 || toPrintable(name, 4_000) !== name) {
    refuse(name, 'has a name that is empty, too long or holds characters nobody sees');
  }
  if (account !== undefined && (account.length > 200 || !isPlainText(account))) {
    refuse(name, 'has an account that is too long or not one line');
  }
  if (config.kind === 'stdio') checkStdio(config);
  else checkHttp(config);
};

/** Throws as `checkServerConfig` does, and for a name used twice. */
export const checkServerConfigs = (configs: readonly ServerConfig[]): void => {
  const names = new Set<string>();
  for (const config of configs) {
    if (names.has(config.name)) refuse(config.name, 'is there twice');
    names.add(config.name);
    checkServerConfig(config);
  }
};

const readTexts = (name: string, key: string, value: unknown): Record<string, string> | undefined => {
  if (value == null) return undefined;
  if (!isRecord(value)) return refuse(name, `has "${key}" that is not an object`);
  return Object.fromEntries(
    Object.entries(value).map(([entry, text]) => {
      if (typeof text === 'string') return [entry, text];
      if (typeof text === 'number' || typeof text === 'boolean') return [entry, String(text)];
      return refuse(name, `has "${key}" entries that are not text`);
    }),
  );
};

const readAccount = (name: string, { account }: Record<string, unknown>): { account?: string } => {
  if (account == null) return {};
  return typeof account === 'string' ? { account } : refuse(name, 'has "account" that is not text');
};

const parseStdio = (name: string, entry: Record<string, unknown>): StdioServerConfig => {
  const { command, args = [], cwd, type } = entry;
  if (type !== undefined && type !== 'stdio')
    refuse(name, `has a command but says type "${toPrintable(type, 60)}"`);
  if (typeof command !== 'string') return refuse(name, 'has "command" that is not text');
  if (!Array.isArray(args) || !args.every((item) => typeof item === 'string')) {
    return refuse(name, 'has "args" that is not a list of texts');
  }
  if (cwd != null && typeof cwd !== 'string') refuse(name, 'has "cwd" that is not text');
  const env = readTexts(name, 'env', entry.env);
  return {
    name,
    kind: 'stdio',
    command,
    args,
    ...readAccount(name, entry),
    ...(env !== undefined && { env }),
    ...(typeof cwd === 'string' && { cwd }),
    // C20: a file does not speak for the user's shell.
    inheritEnv: false,
  };
};

const parseHttp = (name: string, entry: Record<string, unknown>): HttpServerConfig => {
  const { url, type } = entry;
  const isStreamable = ['http', 'streamable-http', 'streamableHttp'].some((known) => known === type);
  if (type !== undefined && type !== 'sse' && !isStreamable)
    refuse(name, `has an address but says type "${toPrintable(type, 60)}"`);
  if (typeof url !== 'string') return refuse(name, 'has "url" that is not text');
  const headers = readTexts(name, 'headers', entry.headers);
  return {
    name,
    kind: 'http',
    url,
    ...readAccount(name, entry),
    ...(type === 'sse' && { transport: 'sse' }),
    ...(headers !== undefined && { headers }),
  };
};

/** Reads one entry of a config file, whose variables stay as they are; none for one that is disabled there. */
export const parseServerEntry = (name: string, entry: unknown): ServerConfig[] => {
  if (!isRecord(entry)) return refuse(name, 'is not an object');
  if (entry.disabled === true) return [];
  if ('command' in entry) return [parseStdio(name, entry)];
  if ('url' in entry) return [parseHttp(name, entry)];
  return refuse(name, 'has neither "command" nor "url"');
};

/** Where the servers of a config file stand: Claude and Cursor say `mcpServers`, VS Code `servers`, also under `mcp`. */
export const findServerRecord = (
  json: unknown,
): { path: string[]; servers: Record<string, unknown> } | undefined => {
  const root = isRecord(json) ? json : {};
  const nested = isRecord(root.mcp) ? root.mcp : {};
  const places: [string[], unknown][] = [
    [['mcpServers'], root.mcpServers],
    [['servers'], root.servers],
    [['mcp', 'servers'], nested.servers],
  ];
  const [path, servers] = places.find(([, value]) => value != null) ?? [[], undefined];
  return isRecord(servers) ? { path, servers } : undefined;
};

/**
 * Reads a configuration of Claude or Cursor (`mcpServers`) or of VS Code (`servers`, also under `mcp`), as a program takes it
 * over for itself: variables are not read.
 */
export const parseServerConfigs = (json: unknown, source: string): ServerConfig[] => {
  const found = findServerRecord(json);
  if (found === undefined) {
    throw new CasementError(
      'config-invalid',
      `${toPrintable(source)} has no "mcpServers" or "servers" object.`,
      {
        hint: 'Use the form of Claude or Cursor, { "mcpServers": { … } }, or of VS Code, { "servers": { … } }.',
      },
    );
  }
  const configs = Object.entries(found.servers).flatMap(([name, entry]) => parseServerEntry(name, entry));
  checkServerConfigs(configs);
  return configs;
};

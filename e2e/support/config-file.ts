import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own below the system's temporary one; `remove` takes it away again. */
export const createTempFolder = (): { path: string; remove(): void } => {
  const path = mkdtempSync(join(tmpdir(), 'casement-e2e-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};

/** A server of a config: a command with its arguments, or the entry as it stands in the file. */
type Server =
  | readonly string[]
  | { readonly url: string }
  | { readonly command: string; readonly args: readonly string[]; readonly env?: Record<string, string> };

const isCommand = (server: Server): server is readonly string[] => Array.isArray(server);

/** Writes an `mcp.json` that starts or reaches these servers, by name, and returns its path. */
export const writeConfig = (folder: string, servers: Record<string, Server>): string => {
  const toEntry = (server: Server) => {
    if (!isCommand(server)) return server;
    const [command, ...args] = server;
    return { command, args };
  };
  const mcpServers = Object.fromEntries(
    Object.entries(servers).map(([name, server]) => [name, toEntry(server)]),
  );
  const path = join(folder, 'mcp.json');
  writeFileSync(path, JSON.stringify({ mcpServers }));
  return path;
};

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own below the system's temporary one; `remove` takes it away again. */
export const createTempFolder = (): { path: string; remove(): void } => {
  const path = mkdtempSync(join(tmpdir(), 'casement-e2e-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};

/** Writes an `mcp.json` that starts these commands, or reaches these addresses, by name, and returns its path. */
export const writeConfig = (
  folder: string,
  servers: Record<string, readonly string[] | { readonly url: string }>,
): string => {
  const toEntry = (server: readonly string[] | { readonly url: string }) => {
    if ('url' in server) return server;
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

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own below the system's temporary one; `remove` takes it away again. */
export const createTempFolder = (): { path: string; remove(): void } => {
  const path = mkdtempSync(join(tmpdir(), 'casement-e2e-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};

/** Writes an `mcp.json` that starts these commands by name, and returns its path. */
export const writeConfig = (folder: string, commands: Record<string, readonly string[]>): string => {
  const mcpServers = Object.fromEntries(
    Object.entries(commands).map(([name, [command, ...args]]) => [name, { command, args }]),
  );
  const path = join(folder, 'mcp.json');
  writeFileSync(path, JSON.stringify({ mcpServers }));
  return path;
};

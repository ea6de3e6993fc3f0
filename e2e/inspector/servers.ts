import { join } from 'node:path';

const published = join(import.meta.dirname, '..', 'servers', 'node_modules');

interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Record<string, string>;
}

const official = (name: string): ServerEntry => ({
  command: process.execPath,
  args: [join(published, '@modelcontextprotocol', name, 'dist', 'index.js'), '--stdio'],
});

/** Published servers as the entries of an `mcp.json`. */
export const servers = {
  react: official('server-basic-react'),
  vue: official('server-basic-vue'),
  debug: official('server-debug'),
  monitor: official('server-system-monitor'),
  n8n: {
    command: process.execPath,
    args: [join(published, 'n8n-mcp', 'dist', 'mcp', 'index.js')],
    env: {
      MCP_MODE: 'stdio',
      LOG_LEVEL: 'error',
      DISABLE_CONSOLE_OUTPUT: 'true',
      N8N_MCP_TELEMETRY_DISABLED: 'true',
    },
  },
} satisfies Record<string, ServerEntry>;

/** basic-react behind a condition: until the file exists it complains on stderr and ends. */
export const reactOnceThereIs = (file: string): ServerEntry => ({
  command: process.execPath,
  args: [
    '--input-type=module',
    '--eval',
    [
      "import { existsSync } from 'node:fs'",
      'const [, file, script] = process.argv',
      'if (existsSync(file)) await import(script)',
      "else { console.error('cannot start without ' + file); process.exit(3) }",
    ].join(';'),
    '--',
    file,
    ...servers.react.args,
  ],
});

/** A server that runs as a child process and speaks over its standard streams. */
export interface StdioServerConfig {
  name: string;
  kind: 'stdio';
  command: string;
  args: string[];
  env?: Record<string, string>;
  cwd?: string;
  /** True for a command the user typed: it then sees the environment of their shell. */
  inheritEnv: boolean;
}

/** A server that speaks Streamable HTTP. */
export interface HttpServerConfig {
  name: string;
  kind: 'http';
  url: string;
  headers?: Record<string, string>;
}

/** How one MCP server is reached. */
export type ServerConfig = StdioServerConfig | HttpServerConfig;

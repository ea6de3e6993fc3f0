import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import type { StdioServerConfig } from './server-config.js';

/** The environment of a server process: the user's own for a command they typed, a safe list otherwise (C20), then its `env`. */
export const toChildEnvironment = (
  config: Pick<StdioServerConfig, 'env' | 'inheritEnv'>,
): NodeJS.ProcessEnv => ({
  ...(config.inheritEnv ? process.env : getDefaultEnvironment()),
  ...config.env,
});

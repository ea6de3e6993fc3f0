import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where this user's programs keep what the user configured. */
export const readDefaultConfigDir = (env: NodeJS.ProcessEnv = process.env): string => {
  if (env.XDG_CONFIG_HOME) return join(env.XDG_CONFIG_HOME, 'casement');
  if (process.platform === 'win32' && env.APPDATA) return join(env.APPDATA, 'casement');
  return join(homedir(), '.config', 'casement');
};

import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { readChildEnvironment } from '../transport/child-process.js';
import type { StdioServerConfig } from '../facts/server-config.js';

const MAX_PATH_FOLDERS = 100;

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
};

/** The file that a command starts, looked for as the system does; undefined when there is none. */
export const findProgram = (config: StdioServerConfig): string | undefined => {
  const { command, cwd = '.' } = config;
  const { PATH = '', PATHEXT = '' } = readChildEnvironment(config);
  const endings = process.platform === 'win32' ? ['', ...PATHEXT.split(';')] : [''];
  const folders = /[/\\]/.test(command)
    ? ['']
    : PATH.split(delimiter).filter(Boolean).slice(0, MAX_PATH_FOLDERS);
  return folders
    .flatMap((folder) => endings.map((ending) => resolve(cwd, join(folder, `${command}${ending}`))))
    .find(isProgram);
};

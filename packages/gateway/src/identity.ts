import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ServerConfig } from './server-config.js';

const SALT_BYTES = 32;

/** Where this user's programs keep state between runs. */
export const toDefaultStateDir = (env: NodeJS.ProcessEnv = process.env): string => {
  if (env.XDG_STATE_HOME) return join(env.XDG_STATE_HOME, 'casement');
  if (process.platform === 'win32' && env.LOCALAPPDATA) return join(env.LOCALAPPDATA, 'casement');
  return join(homedir(), '.local', 'state', 'casement');
};

const readStoredSalt = async (path: string): Promise<Buffer | undefined> => {
  const stored = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64url');
  return stored.length === SALT_BYTES ? stored : undefined;
};

/** The salt of this installation, made once; a folder that cannot be written costs only stability between launches. */
export const readSalt = async (stateDir: string): Promise<Buffer> => {
  const path = join(stateDir, 'salt');
  const fresh = randomBytes(SALT_BYTES);
  try {
    await mkdir(stateDir, { recursive: true, mode: 0o700 });
    // Fails when it exists: the first of two gateways that start together wins, the other reads.
    await writeFile(path, fresh.toString('base64url'), { flag: 'wx', mode: 0o600 });
    return fresh;
  } catch {
    return (await readStoredSalt(path).catch(() => undefined)) ?? fresh;
  }
};

/** What tells two servers of one program or address apart; never a value, since keys are renewed. */
const toAccount = ({ name, isNameDerived, account, ...config }: ServerConfig): unknown[] => {
  const names = Object.keys((config.kind === 'stdio' ? config.env : config.headers) ?? {});
  const sorted = [
    ...new Set(config.kind === 'stdio' ? names : names.map((one) => one.toLowerCase())),
  ].toSorted();
  if (isNameDerived && sorted.length === 0 && account === undefined) return [];
  return [isNameDerived ? null : name, sorted, account ?? null];
};

/** A server's name toward guests: the same for the same entry and program or address, and it tells neither. */
export const toServerIdentity = (config: ServerConfig, salt: Buffer): string => {
  const what = [
    ...(config.kind === 'stdio'
      ? ['stdio', config.command, config.args, resolve(config.cwd ?? '.')]
      : ['http', new URL(config.url).href]),
    ...toAccount(config),
  ];
  return createHash('sha256').update(salt).update(JSON.stringify(what)).digest('base64url');
};

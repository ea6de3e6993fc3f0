import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ServerConfig } from './server-config.js';

const SALT_BYTES = 32;

/** Where this user's programs keep state between runs. */
export const readDefaultStateDir = (env: NodeJS.ProcessEnv = process.env): string => {
  if (env.XDG_STATE_HOME) return join(env.XDG_STATE_HOME, 'casement');
  if (process.platform === 'win32' && env.LOCALAPPDATA) return join(env.LOCALAPPDATA, 'casement');
  return join(homedir(), '.local', 'state', 'casement');
};

/** Reads the stored salt: undefined when there is none or it is incomplete; throws when the file may not be read. */
const readStoredSalt = (path: string): Buffer | undefined => {
  // Forty letters: to have other threads read them takes longer than to read them.
  const stored = Buffer.from(readText(path).trim(), 'base64url');
  return stored.length === SALT_BYTES ? stored : undefined;
};

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
};

/**
 * The salt of this installation, made once; a folder that cannot be written costs only stability between launches. A
 * broken salt is replaced, or every launch would have another; one that may not be read is left alone.
 */
export const readSalt = async (stateDir: string): Promise<Buffer> => {
  const path = join(stateDir, 'salt');
  const fresh = randomBytes(SALT_BYTES);
  try {
    const stored = readStoredSalt(path);
    if (stored !== undefined) return stored;
  } catch {
    return fresh;
  }
  const own = `${path}.${randomUUID()}`;
  try {
    await mkdir(stateDir, { recursive: true, mode: 0o700 });
    // Written elsewhere and linked whole: of two gateways that start together the first wins, and the other reads all of it.
    await writeFile(own, fresh.toString('base64url'), { flag: 'wx', mode: 0o600 });
    await link(own, path).catch(async () => {
      if (readStoredSalt(path) === undefined) await rename(own, path);
    });
    return readStoredSalt(path) ?? fresh;
  } catch {
    return fresh;
  } finally {
    await rm(own, { force: true }).catch(() => undefined);
  }
};

/** What distinguishes two entries with one program or address: names of variables, never their values, since keys are renewed. */
const toAccount = ({ name, isNameDerived, account, ...config }: ServerConfig): unknown[] => {
  const names = Object.keys((config.kind === 'stdio' ? config.env : config.headers) ?? {});
  const sorted = [
    ...new Set(config.kind === 'stdio' ? names : names.map((one) => one.toLowerCase())),
  ].toSorted();
  if (isNameDerived && sorted.length === 0 && account === undefined) return [];
  return [isNameDerived ? null : name, sorted, account ?? null];
};

/** The id by which apps know a server: the same for the same entry and program or address, and a hash that reveals neither. */
export const toServerIdentity = (config: ServerConfig, salt: Buffer): string => {
  const what = [
    ...(config.kind === 'stdio'
      ? ['stdio', config.command, config.args, resolve(config.cwd ?? '.')]
      : ['http', new URL(config.url).href]),
    ...toAccount(config),
  ];
  return createHash('sha256').update(salt).update(JSON.stringify(what)).digest('base64url');
};

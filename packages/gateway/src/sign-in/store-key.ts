import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { closeToOthers } from '../facts/own-file.js';

/** Where the key of the stored sign-ins is: the system's key store, or a file. */
export type KeyPlace = 'system' | 'file';

/** The key, and where it is. */
export interface StoreKey {
  bytes: Buffer;
  place: KeyPlace;
}

const KEY_BYTES = 32;
const SYSTEM_MS = 10_000;

const parseKey = (text: string | null | undefined): Buffer | undefined => {
  const bytes = Buffer.from((text ?? '').trim(), 'base64url');
  return bytes.length === KEY_BYTES ? bytes : undefined;
};

/** Reads the key, or makes it: one that there is, in either place, is used before a new one is made. */
export const openStoreKey = async (folder: string, usesSystem: boolean): Promise<StoreKey> => {
  const path = join(folder, 'sign-in.key');
  const inFile = parseKey(await readFile(path, 'utf8').catch(() => ''));
  if (inFile !== undefined) {
    await closeToOthers(path);
    return { bytes: inFile, place: 'file' };
  }
  const bySystem = usesSystem ? await openSystemKey() : undefined;
  if (bySystem !== undefined) return { bytes: bySystem, place: 'system' };
  return { bytes: await createKeyFile(folder, path), place: 'file' };
};

/** Written elsewhere and linked whole: of two gateways that start together the first wins, and both use its key. */
const createKeyFile = async (folder: string, path: string): Promise<Buffer> => {
  const own = `${path}.${randomUUID()}`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await writeFile(own, randomBytes(KEY_BYTES).toString('base64url'), { flag: 'wx', mode: 0o600 });
    await link(own, path).catch(() => undefined);
    const bytes = parseKey(await readFile(path, 'utf8'));
    if (bytes === undefined) throw new Error('The key file is broken.');
    return bytes;
  } finally {
    await rm(own, { force: true });
  }
};

/** The key's place in the system's key store; throws where there is none. */
const openSystemEntry = async () => {
  const { AsyncEntry } = await import('@napi-rs/keyring');
  return new AsyncEntry('casement', 'sign-in-key', {
    // The kernel's own keys, the other choice there, are gone when the machine is started anew.
    linux: { store: 'secret-service' },
  });
};

/** Deletes the key from the system's key store; without the records that it opens it is of no use to anybody. */
export const forgetSystemKey = async (): Promise<void> => {
  try {
    await (await openSystemEntry()).deleteCredential(AbortSignal.timeout(SYSTEM_MS));
  } catch {
    // There is no key store here, or it is locked.
  }
};

/** The system's key store: undefined where there is none, where it is locked, or where it does not answer. */
const openSystemKey = async (): Promise<Buffer | undefined> => {
  try {
    const entry = await openSystemEntry();
    const signal = AbortSignal.timeout(SYSTEM_MS);
    const known = parseKey(await entry.getPassword(signal));
    if (known !== undefined) return known;
    await entry.setPassword(randomBytes(KEY_BYTES).toString('base64url'), signal);
    return parseKey(await entry.getPassword(signal));
  } catch {
    // It is an optional dependency, and most servers and containers have no key store.
    return undefined;
  }
};

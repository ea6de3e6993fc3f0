import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CasementError, isRecord } from '@casement/protocol/start';
import { closeToOthers, setAside } from '../facts/own-file.js';
import { openStoreKey, type KeyPlace } from './store-key.js';
import type { SignInRecords } from './sign-in-records.js';

/** Where sign-ins are kept: the records in one folder, the key that opens them elsewhere. */
export interface StorePlaces {
  stateDir: string;
  /** Of the key's file. Without it nothing is written: sign-ins end with the gateway. */
  configDir: string | undefined;
  /** Whether the system's key store is tried first. */
  usesSystemKeys: boolean;
}

/** Keeps what sign-ins leave behind, encrypted. */
export interface RecordStore {
  /** What is known now; empty before `load`. */
  read(): SignInRecords;
  /** Reads what is stored, if anything is. */
  load(): Promise<void>;
  /** Changes and stores the records; changes follow each other. Rejects when they hold for this gateway alone. */
  change(edit: (records: SignInRecords) => SignInRecords): Promise<void>;
  /** Where the key is, once one was needed. */
  keyPlace(): KeyPlace | undefined;
}

const FILE = 'sign-ins';
const CIPHER = 'aes-256-gcm';
const VERSION = 'casement sign-ins 1';

const empty: SignInRecords = { accounts: [], clients: {} };

/** Creates the store; nothing is read or written before it is asked. */
export const createRecordStore = ({ stateDir, configDir, usesSystemKeys }: StorePlaces): RecordStore => {
  const path = join(stateDir, FILE);
  let records = empty;
  let key: Awaited<ReturnType<typeof openStoreKey>> | undefined;
  let work: Promise<void> = Promise.resolve();
  let isStored = true;
  let isUnreadable = false;

  const openKey = async (folder: string) => (key ??= await openStoreKey(folder, usesSystemKeys));

  const readStored = async (): Promise<void> => {
    // What could not be written is newer than what is there.
    if (configDir === undefined || !isStored) return;
    if (!existsSync(path)) {
      // The user had it forgotten, and perhaps its key.
      records = empty;
      isUnreadable = false;
      key = undefined;
      return;
    }
    try {
      await closeToOthers(path);
      const { bytes } = await openKey(configDir);
      records = parseRecords(decrypt(await readFile(path, 'utf8'), bytes));
      isUnreadable = false;
    } catch {
      // Another key, or a broken file: the user signs in again, which writes a new one beside it.
      isUnreadable = true;
    }
  };

  const write = async (): Promise<void> => {
    if (configDir === undefined) return;
    const own = `${path}.${randomUUID()}`;
    try {
      const { bytes } = await openKey(configDir);
      await mkdir(stateDir, { recursive: true, mode: 0o700 });
      await writeFile(own, encrypt(JSON.stringify(records), bytes), { flag: 'wx', mode: 0o600 });
      if (isUnreadable) await setAside(path);
      await rename(own, path);
      isUnreadable = false;
      isStored = true;
    } catch (cause) {
      isStored = false;
      await rm(own, { force: true }).catch(() => undefined);
      throw new CasementError('sign-in-failed', 'The sign-in could not be stored.', {
        hint: 'It lasts until the gateway ends. See that there is room, and that the folders may be written.',
        cause,
      });
    }
  };

  const enqueue = (task: () => Promise<void>): Promise<void> => {
    work = work.then(task, task);
    return work;
  };

  return {
    read: () => records,
    load: () => enqueue(readStored),
    change: (edit) =>
      enqueue(async () => {
        // Another gateway of this user may have written meanwhile.
        await readStored();
        records = edit(records);
        await write();
      }),
    keyPlace: () => key?.place,
  };
};

const encrypt = (text: string, key: Buffer): string => {
  const iv = randomBytes(12);
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(VERSION));
  const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return [VERSION, ...[iv, cipher.getAuthTag(), data].map((part) => part.toString('base64url'))].join('\n');
};

const decrypt = (text: string, key: Buffer): unknown => {
  const [version = '', ...parts] = text.split('\n');
  const [iv, tag, data] = parts.map((part) => Buffer.from(part, 'base64url'));
  if (version !== VERSION || iv?.length !== 12 || tag?.length !== 16 || data === undefined)
    throw new Error('The file is none of ours.');
  const cipher = createDecipheriv(CIPHER, key, iv).setAAD(Buffer.from(VERSION)).setAuthTag(tag);
  return JSON.parse(Buffer.concat([cipher.update(data), cipher.final()]).toString('utf8')) as unknown;
};

/** The cipher proves that the file is our own, as we wrote it; only its outer shape is checked. */
const parseRecords = (value: unknown): SignInRecords => {
  if (!isRecord(value) || !Array.isArray(value.accounts) || !isRecord(value.clients)) return empty;
  return value as unknown as SignInRecords;
};

import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CasementError } from '@casement/protocol/start';
import { closeToOthers, setAside } from '../facts/own-file.js';

const FOR_THE_USER_ALONE = 0o600;
const MAX_BYTES = 8 * 1024 * 1024;
const LOCK = 'lock';
/** Reading and writing takes milliseconds: a lock this old was left by a program that died. */
const STALE_MS = 10_000;
const LOCK_PAUSE_MS = 20;
const LOCK_TRIES = 250;

/** The files of one folder that are replaced whole, by one program at a time. */
export interface KeptFiles {
  readonly folder: string;
  /** The text of a file; undefined where there is none. */
  read(name: string): Promise<string | undefined>;
  /** Does some work that reads and replaces files; no other gateway does so meanwhile. */
  locked<T>(work: () => Promise<T>): Promise<T>;
  /** Replaces files, all or none: each is written beside its place, completely, before the first takes its place. */
  replace(texts: ReadonlyMap<string, string>): Promise<void>;
  /** Gives a file that cannot be read another name, so that it is not lost. */
  setAside(name: string): Promise<void>;
}

const reasons = new Map([
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'your share of the disk is used up'],
  ['EFBIG', 'the file would be larger than is allowed here'],
  ['EROFS', 'the disk may only be read'],
  ['EACCES', 'writing there is not permitted'],
  ['EPERM', 'writing there is not permitted'],
  ['ENOTDIR', 'something that is no folder stands in the way'],
]);

const readCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** The reason why something could not be kept, for people. */
export const toKeepFailure = (folder: string, error: unknown): CasementError => {
  if (error instanceof CasementError) return error;
  const code = readCode(error);
  return new CasementError(
    'config-unwritable',
    `Nothing was saved in "${folder}": ${reasons.get(code) ?? `the system says ${code || 'no more'}`}.`,
    { hint: 'What was saved before is whole. Correct that, then try again.', cause: error },
  );
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Writes a file that is not there yet; what could not be written completely is taken away again. */
const writeWhole = async (path: string, text: string): Promise<void> => {
  const file = await open(path, 'wx', FOR_THE_USER_ALONE);
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
};

/** Opens the files of a folder; the folder is made with the first of them. */
export const createKeptFiles = (folder: string): KeptFiles => {
  const toPath = (name: string): string => join(folder, name);

  /** Where a file really is: it may be a link to a place that the user takes care of. */
  const toTarget = (name: string): Promise<string> => realpath(toPath(name)).catch(() => toPath(name));

  /** Takes a lock away that was left behind. Of two who see it one succeeds; a fresh one that was hit is put back. */
  const breakStale = async (): Promise<void> => {
    const seen = await stat(toPath(LOCK)).catch(() => undefined);
    if (seen === undefined || Date.now() - seen.mtimeMs < STALE_MS) return;
    const aside = toPath(`${LOCK}.${randomUUID()}`);
    await rename(toPath(LOCK), aside).catch(() => undefined);
    const taken = await stat(aside).catch(() => undefined);
    if (taken !== undefined && taken.ino !== seen.ino) await link(aside, toPath(LOCK)).catch(() => undefined);
    await rm(aside, { force: true });
  };

  const acquire = async (id: string): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (let tries = 0; tries < LOCK_TRIES; tries += 1) {
      try {
        await writeWhole(toPath(LOCK), id);
        return;
      } catch (error) {
        if (readCode(error) !== 'EEXIST') throw error;
      }
      await breakStale();
      await pause(LOCK_PAUSE_MS);
    }
    throw new CasementError(
      'config-unwritable',
      `Nothing was saved in "${folder}": another casement is writing there.`,
      { hint: `Try again; if none runs, remove the file "${toPath(LOCK)}".` },
    );
  };

  const isOwn = async (id: string): Promise<boolean> =>
    (await readFile(toPath(LOCK), 'utf8').catch(() => '')) === id;

  let holder = '';
  /** One after the other within this gateway; the lock is for the others. */
  let work: Promise<unknown> = Promise.resolve();

  const runLocked = async <T>(task: () => Promise<T>): Promise<T> => {
    const id = randomUUID();
    try {
      await acquire(id);
      holder = id;
      return await task();
    } catch (error) {
      throw readCode(error) === '' ? error : toKeepFailure(folder, error);
    } finally {
      holder = '';
      if (await isOwn(id)) await rm(toPath(LOCK), { force: true });
    }
  };

  return {
    folder,
    async read(name) {
      try {
        const { size } = await stat(toPath(name));
        if (size > MAX_BYTES) throw new CasementError('config-unreadable', 'It is over 8 MB.');
        await closeToOthers(toPath(name));
        return await readFile(toPath(name), 'utf8');
      } catch (error) {
        if (readCode(error) === 'ENOENT') return undefined;
        throw error;
      }
    },
    locked(task) {
      const done = work.then(() => runLocked(task));
      work = done.catch(() => undefined);
      return done;
    },
    async replace(texts) {
      const written: { from: string; to: string }[] = [];
      try {
        for (const [name, text] of texts) {
          const to = await toTarget(name);
          const from = `${to}.${randomUUID()}.part`;
          await writeWhole(from, text);
          written.push({ from, to });
        }
        // A machine that slept may have lost the lock meanwhile.
        if (!(await isOwn(holder))) throw toKeepFailure(folder, new Error('the lock was lost'));
        for (const { from, to } of written) await rename(from, to);
      } finally {
        await Promise.all(written.map(({ from }) => rm(from, { force: true })));
      }
    },
    async setAside(name) {
      const aside = await setAside(toPath(name));
      if (aside !== undefined) return;
      throw new CasementError(
        'config-unwritable',
        `There are too many unreadable copies of "${name}" already.`,
        { hint: `Look at them in "${folder}" and remove those you do not need.` },
      );
    },
  };
};

import { chmod, link, rm, stat } from 'node:fs/promises';

const FOR_THE_USER_ALONE = 0o600;
const BY_OTHERS = 0o077;
const MAX_ASIDE = 20;

const isThere = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST';

/** Takes a file back that was made for the user alone: a copy or a restored backup may have lost that. */
export const closeToOthers = async (path: string): Promise<void> => {
  const { mode } = await stat(path);
  if ((mode & BY_OTHERS) !== 0) await chmod(path, FOR_THE_USER_ALONE).catch(() => undefined);
};

/** Gives a file that cannot be read another name, so that it is not lost; undefined where there are too many already. */
export const setAside = async (path: string): Promise<string | undefined> => {
  for (let count = 1; count <= MAX_ASIDE; count += 1) {
    const aside = `${path}.unreadable-${count}`;
    try {
      // A link never takes the place of a file that is there.
      await link(path, aside);
      await rm(path);
      return aside;
    } catch (error) {
      if (!isThere(error)) throw error;
    }
  }
  return undefined;
};

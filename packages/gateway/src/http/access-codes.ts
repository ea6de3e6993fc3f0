import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { CasementError } from '@casement/protocol/start';

/** How long a tab may be left alone and still be reloaded. */
const TAB_KEY_LIFE_MS = 12 * 60 * 60 * 1000;
/** Of each kind; the oldest makes room. */
const MAX_ISSUED = 200;

/**
 * Codes stand for the token where others can read: command lines, the browser's history, its profile on disk.
 * A code is taken once and lives for a short time. A tab key belongs to one tab, which asks with it after a reload.
 */
export interface AccessCodes {
  createCode(lifeMs: number): string;
  /** Takes a code or a tab key, and gives the key of the tab; throws when it is used, too old or not known. */
  redeem(text: string): string;
}

interface Issued {
  readonly digest: Buffer;
  readonly kind: 'code' | 'key';
  expires: number;
  used: boolean;
}

const toDigest = (text: string): Buffer => createHash('sha256').update(text).digest();

const hint =
  'Open the link that stands last in the terminal where casement runs; a new one may just have come.';

/** Creates the access codes of one gateway. `onDeadLink` is called for each link that was opened twice or too late. */
export const createAccessCodes = (now: () => number, onDeadLink: () => void): AccessCodes => {
  const issued: Issued[] = [];

  const issue = (kind: Issued['kind'], lifeMs: number): string => {
    const text = randomBytes(32).toString('base64url');
    issued.push({ digest: toDigest(text), kind, expires: now() + lifeMs, used: false });
    // Only one of the same kind makes room: many tabs must not end a link, nor many links a tab.
    if (issued.filter((one) => one.kind === kind).length > MAX_ISSUED) {
      issued.splice(
        issued.findIndex((one) => one.kind === kind),
        1,
      );
    }
    return text;
  };

  /** Compares with every code, each in constant time, so that the duration reveals nothing. */
  const find = (text: string): Issued | undefined => {
    const digest = toDigest(text);
    let found: Issued | undefined;
    for (const one of issued) if (timingSafeEqual(one.digest, digest)) found = one;
    return found;
  };

  return {
    createCode: (lifeMs) => issue('code', lifeMs),
    redeem: (text) => {
      const one = find(text);
      if (one === undefined) {
        throw new CasementError('access-unknown', 'This link is not one of the gateway that runs here.', {
          hint,
        });
      }
      if (one.used || one.expires <= now()) {
        onDeadLink();
        if (one.used) throw new CasementError('access-used', 'This link was used already.', { hint });
        throw new CasementError('access-expired', 'This link is too old.', { hint });
      }
      if (one.kind === 'key') {
        one.expires = now() + TAB_KEY_LIFE_MS;
        return text;
      }
      one.used = true;
      return issue('key', TAB_KEY_LIFE_MS);
    },
  };
};

import type { MetadataFinding } from '@casement/protocol';
import { CasementError } from '@casement/protocol/basics';
import { throwCodeMissing } from '../missing-code.js';
import type { SessionOptions } from '../session-options.js';

/**
 * What keeps the app's origin, and so its storage, apart: the server, and the user where the embedder names one.
 * Throws storage-user-missing when storage would outlast the page and the next user of the browser would read it.
 */
export const toStorageIdentity = async (
  options: Pick<SessionOptions, 'storage' | 'user'>,
  serverIdentity: string,
): Promise<string> => {
  const { storage = 'page', user } = options;
  // Pages without types give null for somebody who is not signed in: that is no name, and the same for everybody.
  if (user && /\S/.test(user)) {
    const { toServerIdentity } = await import('./user-identity.js').catch(throwCodeMissing);
    return toServerIdentity(user, serverIdentity);
  }
  if (storage === 'page') return serverIdentity;
  throw new CasementError(
    'storage-user-missing',
    'Persistent storage needs to know whose it is: otherwise the next user of this browser reads it.',
    {
      step: 'sandbox',
      hint: 'Give `user`, an id that is always the same for one person and different for another, or leave out `storage`.',
    },
  );
};

/**
 * The finding for a browser without credentialless frames: what the app stores lasts, although the embedder did not ask
 * for that.
 */
export const toStorageLasts = (site: 'page' | 'other' | undefined): MetadataFinding => {
  const isElsewhere = site === 'other';
  const cookies = ', and cookies it sets reach other pages of the sandbox’s site';
  return {
    code: 'storage-lasts',
    message: `This browser cannot end the storage of an app with the page (it has no credentialless frames): what the app stores lasts${isElsewhere ? '' : cookies}.`,
    fix: `Give each user of your page an id with \`user\`${isElsewhere ? '' : ', use __Host- cookies, and give the sandbox an `otherSiteBase` for such browsers'}.`,
    path: 'sandbox',
  };
};

/** The app found its storage closed before its own first byte. */
export const storageBlocked: MetadataFinding = {
  code: 'storage-blocked',
  message:
    'The browser refuses this app any storage: localStorage, sessionStorage and IndexedDB throw. It does so for a sandbox on another site than the page where third-party cookies are blocked.',
  fix: 'Serve the sandbox from the site of your page (apps.example.com for chat.example.com), and open your page under that site.',
  path: 'sandbox',
};

import { toServerIdentity } from '@casement/protocol/ports';
import { CasementError } from '../loaded/loaded.js';
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
  if (user && /\S/.test(user)) return toServerIdentity(user, serverIdentity);
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

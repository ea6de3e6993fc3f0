import type { MountAppOptions, SandboxTarget } from '@casement/host';
import type { StorageName } from '../address/view-settings.js';

interface SandboxPlaces {
  readonly base: string;
  readonly otherSiteBase: string;
  readonly opaqueBase: string;
}

/** Where an app is framed, and how long what it stores lasts. */
type AppPlace = Pick<MountAppOptions, 'storage' | 'user'> & { readonly sandbox: SandboxTarget };

/** Tells where apps are framed that are given this storage. */
export type FindAppPlace = (storage: StorageName) => AppPlace;

/**
 * Where the sandbox is for this page. The proxy is same-site with the page only under the sandbox's own name; a page
 * that is elsewhere has tried to move there before it was loaded, so this browser does not resolve such names.
 */
export const createAppPlaces = ({ base, otherSiteBase, opaqueBase }: SandboxPlaces): FindAppPlace => {
  const home = new URL(base).hostname;
  const unresolved =
    location.hostname === home
      ? undefined
      : `This browser does not resolve names under ${home}, so the app runs in an opaque frame without storage of its own.`;
  return (storage) => {
    const chosen =
      storage === 'none'
        ? 'Storage is set to none, so the app runs in an opaque frame, as it does in hosts that give apps no origin of their own.'
        : undefined;
    const reason = unresolved ?? chosen;
    return {
      sandbox: reason === undefined ? { base, otherSiteBase } : { opaqueBase, reason },
      // This installation has one user, and the identities of its servers are salted for it.
      ...(storage === 'persistent' ? { storage, user: 'installation' } : { storage: 'page' }),
    };
  };
};

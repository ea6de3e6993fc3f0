import type { SandboxTarget } from '@casement/host';

interface SandboxPlaces {
  readonly base: string;
  readonly otherSiteBase: string;
  readonly opaqueBase: string;
}

/**
 * Where the sandbox is for this page. The proxy is same-site with the page only under the sandbox's own name; a page
 * that is elsewhere has tried to move there before it was loaded, so this browser does not resolve such names.
 */
export const readSandboxTarget = ({ base, otherSiteBase, opaqueBase }: SandboxPlaces): SandboxTarget => {
  const home = new URL(base).hostname;
  if (location.hostname === home) return { base, otherSiteBase };
  return {
    opaqueBase,
    reason: `This browser does not resolve names under ${home}, so the app runs in an opaque frame without storage of its own.`,
  };
};

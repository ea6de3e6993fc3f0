import type { SandboxTarget } from '@casement/host';
import { probeSandbox } from '@casement/host';

interface GatewayPlace {
  sandbox: { base: string; otherSiteBase: string; opaqueBase: string };
  hostOrigins: readonly string[];
}

/** Where the sandbox is for this page, or the address this page has to move to first. */
export type SandboxChoice = { target: SandboxTarget } | { moveTo: string };

const withHost = (address: string, hostname: string): string => {
  const url = new URL(address);
  url.hostname = hostname;
  return url.href;
};

/**
 * Decides between the three-origin sandbox and its fallback. The proxy is same-site with the page only under
 * casement.localhost, so a page opened as localhost moves there when the browser resolves such names; the address
 * keeps its path, query and fragment; what opens the gateway is handed over by a fresh code.
 */
export const chooseSandbox = async ({ sandbox, hostOrigins }: GatewayPlace): Promise<SandboxChoice> => {
  const home = new URL(sandbox.base).hostname;
  if (location.hostname === home)
    return { target: { base: sandbox.base, otherSiteBase: sandbox.otherSiteBase } };
  if (await probeSandbox(sandbox.base)) return { moveTo: withHost(location.href, home) };
  // The sandbox serves the host origins of its settings; a numeric address is not one of them.
  if (!hostOrigins.includes(location.origin)) return { moveTo: withHost(location.href, 'localhost') };
  return {
    target: {
      opaqueBase: sandbox.opaqueBase,
      reason: `This browser does not resolve names under ${home}, so the app runs in an opaque frame without storage of its own.`,
    },
  };
};

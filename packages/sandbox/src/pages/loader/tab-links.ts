// Links that lead away from the app. A sandboxed frame opens no tab and may not leave its document, so without this a
// click on one would do nothing, or end the app; as a wish to the host the user is asked, as with every other link.
import type { HostLine } from './host-line.js';

/** The address as a link that a browser would open in a tab; nothing for others. */
const parseTabAddress = (address: string): URL | undefined => {
  try {
    const url = new URL(address, document.baseURI);
    return /^(https?|mailto):$/.test(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
};

/** The link of a click, if nobody took the click and it has such an address. */
export const findClickedLink = (event: MouseEvent): { url: URL; opensTab: boolean } | undefined => {
  if (event.defaultPrevented) return undefined;
  const link = event
    .composedPath()
    .find((place) => place instanceof HTMLAnchorElement || place instanceof HTMLAreaElement);
  if (!link?.href || link.hasAttribute('download')) return undefined;
  const url = parseTabAddress(link.href);
  return url && { url, opensTab: !['', '_self', '_top', '_parent'].includes(link.target) };
};

/** Takes over `window.open`, and returns a function that starts to hand clicked links that lead away to the host. */
export const createTabLinks = (line: HostLine): (() => void) => {
  const openAtHost = ({ href }: URL): void => {
    // A refusal is in the host's recording; a link has nobody to tell it to.
    line.request('ui/open-link', { url: href }).catch(() => undefined);
  };
  const onClick = (event: MouseEvent): void => {
    const link = findClickedLink(event);
    if (!link) return;
    const { url, opensTab } = link;
    // Within its own site an app goes where it likes; an address to write to has no site, like an opaque document.
    const isAway = url.origin !== window.location.origin || url.protocol === 'mailto:';
    if (!isAway && !opensTab) return;
    event.preventDefault();
    openAtHost(url);
  };
  window.open = (address) => {
    const url = address === undefined ? undefined : parseTabAddress(String(address));
    if (url) openAtHost(url);
    return null;
  };
  return () => window.addEventListener('click', onClick);
};

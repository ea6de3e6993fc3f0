// Links that lead away from the app. A sandboxed frame opens no tab and may not leave its document, so without this a
// click on one would do nothing, or end the app; as a wish to the host the user is asked, as with every other link.
import type { HostLine } from './host-line.js';
import { findClickedLink, parseTabAddress } from './link-away.js';

/** Hands the links of an app to the host, once what it returns was called: it adds the listener. */
export const createTabLinks = (line: HostLine): (() => void) => {
  const follow = ({ href }: URL): void => {
    // A refusal is in the host's recording; a link has nobody to tell it to.
    line.request('ui/open-link', { url: href }).catch(() => undefined);
  };
  const hear = (event: MouseEvent): void => {
    const link = findClickedLink(event);
    if (!link) return;
    const { url, opensTab } = link;
    // Within its own site an app goes where it likes; an address to write to has no site, like an opaque document.
    const isAway = url.origin !== window.location.origin || url.protocol === 'mailto:';
    if (!isAway && !opensTab) return;
    event.preventDefault();
    follow(url);
  };
  window.open = (address) => {
    const url = address === undefined ? undefined : parseTabAddress(String(address));
    if (url) follow(url);
    return null;
  };
  return () => window.addEventListener('click', hear);
};

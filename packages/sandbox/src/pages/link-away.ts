/** The address as a link that a browser would open in a tab; nothing for others. */
export const parseTabAddress = (address: string): URL | undefined => {
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

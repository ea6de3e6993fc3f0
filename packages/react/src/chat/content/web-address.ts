/** The longest name of a host that can be looked up. */
const maxHost = 253;

/**
 * The link rule of the chat: the address that a text is, or undefined. Only what names its host in full, and in the very
 * letters that are looked up, can be followed: a page reads `https:x`, `https:/x` and `//x` as places of its own, a name
 * before the host poses as one, and other letters for the same host are shown but not opened.
 */
export const toWebAddress = (text: string): URL | undefined => {
  const address = /^https?:\/\/([^\s/?#\\@:[\]]+|\[[\d.:a-f]+\])(?::\d+)?(?:[/?#][^\s\\]*)?$/i;
  const host = address.exec(text)?.[1];
  if (host === undefined || host.length > maxHost || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.hostname === host.toLowerCase() ? url : undefined;
};

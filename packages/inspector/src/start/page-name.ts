import { probeSandbox } from '@casement/host';
import { readCarriedAccess, readTabKey, toMovedAddress } from '../address/page-address.js';
import { askCode, askToken } from './ask-access.js';

/** The name under which the proxy is same-site with the page, so that apps get origins of their own. */
const homeName = 'casement.localhost';

/** The one other name of a page that the sandbox serves; a numeric address is none. */
const fallbackName = 'localhost';

/** Where the sandbox listens: the port after the page's, whatever the page's is. */
const toSandboxBase = ({ protocol, port }: Location): string =>
  `${protocol}//${homeName}:${Number(port || 80) + 1}`;

/** The name this page belongs under; a browser that does not resolve names below localhost stays at localhost. */
const findName = async (): Promise<string> => {
  if (location.hostname === homeName) return homeName;
  return (await probeSandbox(toSandboxBase(location))) ? homeName : fallbackName;
};

/** Reads one text of an answer; anything else ends the move, and the page that stays says what is wrong. */
const readText = async (asked: Promise<Response>, name: string): Promise<string> => {
  // Whatever came is looked at as one that may have this member.
  const value = ((await (await asked).json()) as Record<string, unknown>)[name];
  if (typeof value !== 'string') throw new Error('The gateway gave no access.');
  return value;
};

/**
 * What the moved address shall carry. A code that was not handed in yet goes along as it is; the token and the key of
 * this tab are exchanged for a code first. A page without access takes none along.
 */
const toAddress = async (): Promise<(href: string) => string> => {
  const { code, token } = readCarriedAccess(location.hash) ?? {};
  const key = readTabKey();
  if (code !== undefined || (token === undefined && key === undefined)) return (href) => href;
  const fresh = await readText(askCode(token ?? (await readText(askToken(key ?? ''), 'token'))), 'code');
  return (href) => toMovedAddress(href, fresh, token !== undefined);
};

/** Moves the page to the name it belongs under, before its application is loaded; false when it is there. */
export const movePage = async (): Promise<boolean> => {
  if (location.hostname === homeName) return false;
  try {
    // Both are asked at once: nearly always the page moves.
    const [name, toMoved] = await Promise.all([findName(), toAddress()]);
    if (name === location.hostname) return false;
    const url = new URL(location.href);
    url.hostname = name;
    location.replace(toMoved(url.href));
    return true;
  } catch {
    return false;
  }
};

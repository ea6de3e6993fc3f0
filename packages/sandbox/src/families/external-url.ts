import { parseMime } from '@casement/protocol/resource';
import { isFrameableUrl } from './frameable-url.js';

/**
 * The address of an MCP-UI app that is a page of its own: the first usable line of a `text/uri-list`, or an HTML body
 * that is nothing but an address. Undefined for everything else, `javascript:` and `file:` among it.
 */
export const readExternalUrl = (body: string, mimeType: unknown): string | undefined => {
  const type = parseMime(mimeType)?.type;
  if (type === 'text/html') return /\s/.test(body.trim()) ? undefined : toUrl(body.trim());
  if (type !== 'text/uri-list') return undefined;
  for (const line of body.split(/\r\n|\r|\n/, 1000)) {
    // A line that begins so is a comment (RFC 2483).
    const url = line.startsWith('#') ? undefined : toUrl(line.trim());
    if (url !== undefined) return url;
  }
  return undefined;
};

const toUrl = (text: string): string | undefined => (isFrameableUrl(text) ? new URL(text).href : undefined);

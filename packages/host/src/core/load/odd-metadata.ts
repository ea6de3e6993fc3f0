import type { ResourceListing } from '@casement/protocol';
import { isRecord } from '@casement/protocol/start';
import { readAppHtml, readResourceUi } from '@casement/protocol/resource';

/* What reads a tool or resource that is not plainly as the specification has it, and says what is odd. */

export { readToolUi } from '@casement/protocol/resource';
export { readResourceUi };

/** The HTML and metadata of any resource; throws one of the codes of this step. */
export const readResource = (
  result: unknown,
  uri: string,
  listing: ResourceListing | undefined,
  limits: Parameters<typeof readAppHtml>[2],
): ReturnType<typeof readAppHtml> & { ui: ReturnType<typeof readResourceUi> } => {
  const read = readAppHtml(result, uri, limits);
  return { ...read, ui: readResourceUi({ content: read.item, ...(isRecord(listing) ? { listing } : {}) }) };
};

import { CasementError, isUIResource, readRenderData } from '../loaded/loaded.js';
import { readExternalUrl } from '@casement/sandbox';
import type { AppResource, ToAppResource } from './app-resource.js';

/** The address of a UI inside a tool's result; throws when the block is none. */
export const readEmbeddedUri = (block: unknown): string => {
  if (isUIResource(block)) return block.resource.uri;
  throw new CasementError('resource-uri', 'The block of the result is not a resource with a ui:// address.', {
    step: 'resource',
    hint: 'Give a content block { type: "resource", resource: { uri: "ui://…", mimeType, text } }.',
  });
};

/** Pages that are given data from the start are told by their address to wait for it, which is how this family does it. */
const toPage = (address: string | undefined, resource: unknown): string | undefined => {
  if (address === undefined || readRenderData(resource) === undefined) return address;
  const url = new URL(address);
  url.searchParams.set('waitForRenderData', 'true');
  return url.href;
};

/** A UI inside a tool's result as the resource it is: a document, or a page elsewhere. */
export const readEmbeddedResource = async (
  block: unknown,
  uri: string,
  maxBytes: number,
  /** Handed over so that bundlers keep it where it is. */
  toResource: ToAppResource,
): Promise<AppResource> => {
  const { resource } = isUIResource(block) ? block : { resource: undefined };
  const read = await toResource(uri, [resource], undefined, maxBytes, { isEmbedded: true });
  if (read.family !== 'mcp-ui') return read;
  const mimeType = resource?.['mimeType'];
  const url = toPage(readExternalUrl(read.html, mimeType), resource);
  // A document of its own may declare nothing to the page around it: only that page's origin is let in.
  if (url !== undefined) return { ...read, html: '', url, csp: { frameDomains: [new URL(url).origin] } };
  if (!/^\s*text\/uri-list/i.test(String(mimeType))) return read;
  throw new CasementError('external-refused', 'The list of addresses names no http or https address.', {
    step: 'resource',
    hint: 'Put one https:// address, without a user name, on a line of its own.',
  });
};

import { allow, refuse } from '../loaded/loaded.js';
import { decideLink, toLinkRequest } from '../policy/decide-link.js';
import type { ParamsOf, RequestHandlers } from '@casement/protocol';
import type { Decision } from '../policy/decision.js';
import type { SessionLimits } from '../limits.js';
import type { Surface } from '../surface.js';
import type { SessionOptions } from '../session-options.js';
import type { Consent } from '../consent/consent.js';
import { toSafeFileName } from './safe-file-name.js';
import type { HandlerContext } from './handler-context.js';

/** Saves what the app carries with it after the user agreed (HOST-084); links are opened like any link, never fetched. */
export const createDownloadFile =
  (
    context: HandlerContext,
    consent: Consent,
    limits: SessionLimits,
    onDownload: NonNullable<SessionOptions['onDownload']>,
  ): RequestHandlers['ui/download-file'] =>
  async ({ contents }, { signal }) => {
    const { server, links: linkOptions } = context.options;
    const { decision, files, links } = readDownload(contents, limits, (link) =>
      decideLink(link, context.ownPlaces(), linkOptions),
    );
    const details = { files: files.map(({ name }) => name), links: links.map(({ href }) => href) };
    context.enforce('ui/download-file', decision, details);
    const request = {
      server: server.name,
      files: files.map(({ name, mimeType, content }) => ({ name, mimeType, bytes: content.length })),
      links: links.map((url) => toLinkRequest(url, server.name)),
    };
    const isTaken = await consent({
      method: 'ui/download-file',
      kind: 'download',
      denial: 'download-denied',
      details,
      signal,
      // Files that come by themselves, or links nobody saw, are no download the user asked for.
      needsActivation: true,
      alwaysAsk: links.length > 0,
      ask: (options) => onDownload(request, options),
    });
    if (!isTaken) return { isError: true };
    for (const file of files) context.surface.saveFile(file);
    for (const { href } of links) context.surface.openLink(href);
    return {};
  };

/** A file ready to be saved. */
type DownloadFile = Parameters<Surface['saveFile']>[0];

/** What an app wants to hand to the user, read and judged; nothing is fetched for it. */
interface Download {
  readonly decision: Decision;
  readonly files: readonly DownloadFile[];
  readonly links: readonly URL[];
}

const anyType = 'application/octet-stream';

type Limits = Pick<SessionLimits, 'maxDownloadItems' | 'maxDownloadLinks' | 'maxDownloadBytes'>;

/** Reads the items of ui/download-file; one that may not be saved refuses them all. */
const readDownload = (
  contents: ParamsOf<'ui/download-file'>['contents'],
  { maxDownloadItems, maxDownloadLinks, maxDownloadBytes }: Limits,
  decideLink: (link: string) => Decision & { url?: URL },
): Download => {
  const files: DownloadFile[] = [];
  const links: URL[] = [];
  const invalid = (reason: string, hint: string): Download => ({
    decision: refuse('download-invalid', reason, hint),
    files: [],
    links: [],
  });
  if (contents.length === 0) return invalid('There is nothing to download.', 'Send at least one item.');
  if (contents.length > maxDownloadItems) {
    return invalid(`There are ${contents.length} items.`, `Send at most ${maxDownloadItems} at a time.`);
  }
  let room = maxDownloadBytes;
  for (const item of contents) {
    if (item.type === 'resource_link') {
      const { url, ...decision } = decideLink(item.uri);
      if (!url) return { decision, files: [], links: [] };
      links.push(url);
      continue;
    }
    const content = readContent(item.resource, room);
    if (content === 'undecodable') {
      return invalid('A file is not valid base64.', 'Send text as text and bytes as base64 in blob.');
    }
    if (content === 'too-large') {
      return invalid('The files are too large.', `Send at most ${maxDownloadBytes} bytes at a time.`);
    }
    room -= content.length;
    const mimeType = toMimeType(item.resource.mimeType);
    const name = toSafeFileName(item.resource.uri, mimeType);
    // A browser gives a name without an ending the one it knows for the type: it gets no type then.
    files.push({ name, mimeType: name.includes('.') ? mimeType : anyType, content });
  }
  if (links.length > maxDownloadLinks) {
    return invalid(`There are ${links.length} links.`, `Send at most ${maxDownloadLinks} at a time.`);
  }
  return { decision: allow('Files the app carries with it, and web links.'), files, links };
};

const readContent = (
  resource: { text: string } | { blob: string },
  room: number,
): Uint8Array<ArrayBuffer> | 'undecodable' | 'too-large' => {
  const source = 'text' in resource ? resource.text : resource.blob;
  // Judged before anything is made of it: text never gets shorter, base64 by a quarter at most (and its padding).
  if (('text' in resource ? source.length : source.length * 0.75 - 2) > room) return 'too-large';
  const content = 'text' in resource ? new TextEncoder().encode(source) : decodeBase64(source);
  if (content && content.length > room) return 'too-large';
  return content ?? 'undecodable';
};

const decodeBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
    return bytes;
  } catch {
    return undefined;
  }
};

/** The type as far as it has the form of one; an app could write anything there. */
const toMimeType = (value: string | undefined): string =>
  value !== undefined && /^[a-z0-9.+-]{1,80}\/[a-z0-9.+-]{1,80}(?:; ?charset=[\w-]{1,20})?$/i.test(value)
    ? value
    : anyType;

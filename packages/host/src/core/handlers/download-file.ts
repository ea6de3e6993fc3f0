import type { RequestHandlers } from '@casement/protocol';
import { decideLink, toLinkRequest } from '../policy-links.js';
import type { RequestLimits } from '../request-limits.js';
import type { AppOptions } from '../session-options.js';
import type { Consent } from './consent.js';
import { readDownload } from './download-items.js';
import type { HandlerContext } from './handler-context.js';

/** Saves what the app carries with it after the user agreed (HOST-084); links are opened like any link, never fetched. */
export const createDownloadFile =
  (
    context: HandlerContext,
    consent: Consent,
    limits: RequestLimits,
    onDownload: NonNullable<AppOptions['onDownload']>,
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
